import { describe, expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import { LiveHistories } from '../../../../lambda/polymarket/live-histories.ts';
import { RouteHealth } from '../../../../lambda/polymarket/route-health.ts';
import { type FakeRoute, fakeRoute } from '../../../support/fake-history-route.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const REQUEST = { kind: 'interval', interval: '1d', fidelity: 5 } as const;
const POINT = [{ t: 1_500, p: 0.4 }];
const OTHER = [{ t: 1_500, p: 0.6 }];
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);

const WINDOW = { kind: 'window', start: 1_000, end: 2_000, newest: true, fidelity: 15 } as const;

function live(...routes: FakeRoute[]) {
  const clock = new ManualClock();
  const health = new RouteHealth(clock);
  const histories = new LiveHistories({ routes, health, clock });
  const points = (token = '7', request: typeof REQUEST | typeof WINDOW = REQUEST) =>
    histories.points(token, request, clock.now() + 4_000);
  return { clock, health, points };
}

describe('the history of one token', () => {
  it('comes from the first route, and no other is asked', async () => {
    const second = fakeRoute('clob-batch', () => OTHER);
    expect(
      await live(
        fakeRoute('clob-single', () => POINT),
        second,
      ).points(),
    ).toEqual(POINT);
    expect(second.calls).toEqual([]);
  });

  it('comes from the next as soon as one fails', async () => {
    const routes = [
      fakeRoute('clob-single', () => 500),
      fakeRoute('clob-batch', () => 404),
      fakeRoute('data', () => POINT),
    ];
    expect(await live(...routes).points()).toEqual(POINT);
  });

  it('comes from the second when the first takes longer than 1.5 s', async () => {
    const second = fakeRoute('clob-batch', () => OTHER);
    const { clock, points } = live(
      fakeRoute('clob-single', () => 'never'),
      second,
    );
    const found = points();
    await clock.advance(1_499);
    expect(second.calls).toHaveLength(0);
    await clock.advance(1);
    expect(await found).toEqual(OTHER);
  });

  it('of an unknown token is empty at once, of a token of Protocol V2 when every route says so', async () => {
    const data = fakeRoute('data', () => POINT);
    expect(
      await live(
        fakeRoute('clob-single', () => []),
        data,
      ).points(),
    ).toEqual([]);
    expect(data.calls).toEqual([]);
    expect(
      await live(
        fakeRoute('clob-single', () => []),
        data,
      ).points(POSITION),
    ).toEqual(POINT);
    expect(
      await live(
        fakeRoute('clob-single', () => []),
        fakeRoute('clob-batch', () => 404),
        fakeRoute('data', () => []),
      ).points(POSITION),
    ).toEqual([]);
  });

  it.each([400, 500])(
    'of a token of Protocol V2 is not empty when the route that knows says %i',
    async (status) => {
      const { points } = live(
        fakeRoute('clob-single', () => []),
        fakeRoute('data', () => status),
      );
      await expect(points(POSITION)).rejects.toMatchObject({ route: 'data', status });
    },
  );

  it('is found again within a minute when every route was gone for a moment', async () => {
    let status: number | undefined = 404;
    const single = fakeRoute('clob-single', () => status ?? POINT);
    const { clock, points } = live(
      single,
      fakeRoute('data', () => 404),
    );
    await expect(points()).rejects.toMatchObject({ status: 404 });
    status = undefined;
    await clock.advance(59_999);
    await expect(points()).rejects.toMatchObject({ failure: 'no_route' });
    expect(single.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await points()).toEqual(POINT);
    expect(await points()).toEqual(POINT);
  });

  it('is the first error when every route fails, and one of its own when all are gone', async () => {
    const { points } = live(
      fakeRoute('clob-single', () => 404),
      fakeRoute('data', () => 410),
    );
    await expect(points()).rejects.toMatchObject({ route: 'clob-single' });
    await expect(points()).rejects.toThrow('prices-history: no_route');
  });

  it('is asked for as every live call is; a window leaves half of the calls to charts of one call', async () => {
    const route = fakeRoute('clob-single', () => POINT);
    const { clock, points } = live(route);
    const common = { deadline: clock.now() + 4_000, retries: 1, live: true, firstAttemptMs: 2_000 };
    await points();
    await points('7', WINDOW);
    expect(route.calls).toEqual([['7'], ['7']]);
    expect(route.spans).toEqual([REQUEST, WINDOW]);
    expect(route.limits).toEqual([
      { ...common, maxBytes: 8_000_000 },
      { ...common, maxBytes: 8_000_000, share: 0.5 },
    ]);
  });

  it('is empty where the response does not name the token', async () => {
    const route = { ...fakeRoute('clob-batch', () => POINT), read: async () => new Map() };
    expect(await live(route).points()).toEqual([]);
  });

  it('tells of each route how it is, but not of a bug', async () => {
    const { health, points } = live(
      fakeRoute('clob-single', () => 404),
      fakeRoute('clob-batch', () => new TypeError('x is undefined')),
      fakeRoute('data', () => POINT),
    );
    expect(await points()).toEqual(POINT);
    const names = ['clob-single', 'clob-batch', 'data'] as const;
    expect(health.order(names.map((name) => ({ name })))).toEqual([{ name: 'clob-batch' }, { name: 'data' }]);
    expect(health.inUse).toBe('data');
  });

  it('is a bug where every route has one: nothing better is known', async () => {
    const bug = new TypeError('x is undefined');
    await expect(live(fakeRoute('data', () => bug)).points()).rejects.toBe(bug);
  });

  it('of a token of Protocol V2 is not empty where a bug kept the route that knows from saying so', async () => {
    const bug = new TypeError('x is undefined');
    const { points } = live(
      fakeRoute('clob-single', () => []),
      fakeRoute('clob-batch', () => 404),
      fakeRoute('data', () => bug),
    );
    await expect(points(POSITION)).rejects.toBe(bug);
  });

  it('waits for the routes under way once all are asked, and for the first that is believable', async () => {
    const slow = lateRoute('clob-single', POINT);
    const { clock, points } = live(
      slow.route,
      fakeRoute('data', () => []),
    );
    const found = points(POSITION);
    await clock.advance(1_500);
    slow.respond();
    expect(await found).toEqual(POINT);
  });

  it('is the first doubtful one of several', async () => {
    const slow = lateRoute('clob-single', []);
    const { clock, points, health } = live(
      slow.route,
      fakeRoute('clob-batch', () => 404),
      fakeRoute('data', () => []),
    );
    const found = points(POSITION);
    await clock.advance(1_500);
    slow.respond();
    expect(await found).toEqual([]);
    expect(health.inUse).toBe('clob-single');
  });

  it('asks no further route once it is found', async () => {
    const third = fakeRoute('data', () => OTHER);
    const { clock, points } = live(
      fakeRoute('clob-single', () => 'never'),
      fakeRoute('clob-batch', () => POINT),
      third,
    );
    const found = points();
    await clock.advance(1_500);
    expect(await found).toEqual(POINT);
    await clock.advance(60_000);
    expect(third.calls).toEqual([]);
  });

  it('asks for company once for each slow route', async () => {
    const routes = (['clob-single', 'clob-batch', 'data'] as const).map((name) =>
      fakeRoute(name, () => 'never'),
    );
    const { clock, points } = live(...routes);
    points().catch(() => undefined);
    const called = () => routes.map(({ calls }) => calls.length);
    await clock.advance(1_500);
    expect(called()).toEqual([1, 1, 0]);
    await clock.advance(1_499);
    expect(called()).toEqual([1, 1, 0]);
    await clock.advance(1);
    expect(called()).toEqual([1, 1, 1]);
    await clock.advance(60_000);
    expect(called()).toEqual([1, 1, 1]);
  });

  it('gives a route that took the place of a failed one its whole time', async () => {
    let fail = (): void => undefined;
    const failing = fakeRoute('clob-single', () => []);
    const third = fakeRoute('data', () => POINT);
    const { clock, points } = live(
      {
        ...failing,
        read: () =>
          new Promise((_, reject) => {
            fail = () => reject(new UpstreamError({ route: 'clob-single', failure: 'network' }));
          }),
      },
      fakeRoute('clob-batch', () => 'never'),
      third,
    );
    const found = points();
    await clock.advance(1_000);
    fail();
    await clock.advance(1_499);
    expect(third.calls).toEqual([]);
    await clock.advance(1);
    expect(await found).toEqual(POINT);
  });
});

/** A route that responds when it is told to. */
function lateRoute(name: FakeRoute['name'], points: typeof POINT | []) {
  const told = Promise.withResolvers<void>();
  const fake = fakeRoute(name, () => points);
  const read: FakeRoute['read'] = async (...asked) => {
    await told.promise;
    return await fake.read(...asked);
  };
  return { route: { ...fake, read }, respond: () => told.resolve() };
}
