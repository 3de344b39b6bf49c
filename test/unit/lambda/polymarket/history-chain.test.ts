import { describe, expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import { HistoryChain } from '../../../../lambda/polymarket/history-chain.ts';
import { RouteHealth } from '../../../../lambda/polymarket/route-health.ts';
import { type FakeRoute, fakeRoute } from '../../../support/fake-history-route.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const RANGE = { start: 1_000, end: 2_000, fidelity: 15 };
const POINT = [{ t: 1_500, p: 0.4 }];
const OTHER = [{ t: 1_500, p: 0.6 }];
/** Laid out like a position id of Protocol V2. */
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);
const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));

function chain(...routes: FakeRoute[]) {
  const clock = new ManualClock();
  const health = new RouteHealth(clock);
  const histories = new HistoryChain({ routes, health, clock });
  const read = (asked: readonly string[]) => histories.histories(asked, RANGE, clock.now() + 60_000);
  return { clock, health, histories, read };
}

describe('histories', () => {
  it('come from the first route that responds, in calls of as many tokens as it takes', async () => {
    const batch = fakeRoute('clob-batch', () => POINT);
    const single = fakeRoute('clob-single', () => OTHER);
    const { read, health } = chain(batch, single);
    const found = await read(tokens(45));
    expect([...found.values()]).toEqual(Array(45).fill(POINT));
    expect(batch.calls.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(batch.spans[0]).toEqual({ kind: 'window', ...RANGE });
    expect(single.calls).toEqual([]);
    expect(health.inUse).toBe('clob-batch');
  });

  it('are no change of route where the next one fills what the first has nothing of', async () => {
    const batch = fakeRoute('clob-batch', (token) => (token === POSITION ? [] : POINT));
    const { read, health } = chain(
      batch,
      fakeRoute('data', () => OTHER),
    );
    expect((await read(['1', POSITION])).get(POSITION)).toEqual(OTHER);
    expect((await read([POSITION])).get(POSITION)).toEqual(OTHER);
    expect(health.inUse).toBe('clob-batch');
  });

  it.each([404, 405, 410])(
    'leave a route that says %i out for an hour, and find all on the next',
    async (gone) => {
      const batch = fakeRoute('clob-batch', () => gone);
      const single = fakeRoute('clob-single', () => POINT);
      const { clock, read, health } = chain(batch, single);
      expect((await read(tokens(30))).size).toBe(30);
      expect(batch.calls).toHaveLength(1);
      expect(single.calls).toHaveLength(30);
      expect(health.inUse).toBe('clob-single');
      await clock.advance(3_599_999);
      await read(['1']);
      expect(batch.calls).toHaveLength(1);
      await clock.advance(1);
      await read(['1']);
      expect(batch.calls).toHaveLength(2);
    },
  );

  it.each([
    ['batch and single', ['clob-batch', 'clob-single'], 'data'],
    ['batch and Data API', ['clob-batch', 'data'], 'clob-single'],
    ['single and Data API', ['clob-single', 'data'], 'clob-batch'],
  ] as const)('are complete with %s gone', async (_, gone, left) => {
    const names = ['clob-batch', 'clob-single', 'data'] as const;
    const routes = names.map((name) =>
      fakeRoute(name, () => ((gone as readonly string[]).includes(name) ? 404 : POINT)),
    );
    const { read, health } = chain(...routes);
    expect((await read(tokens(25))).size).toBe(25);
    expect(health.inUse).toBe(left);
  });

  it('ask the next route for the tokens of a call that failed, and for no others', async () => {
    const batch = fakeRoute('clob-batch', (token) => (token === '25' ? 400 : POINT));
    const single = fakeRoute('clob-single', () => OTHER);
    const found = await chain(batch, single).read(tokens(30));
    expect(single.calls.flat()).toEqual(tokens(30).slice(20));
    expect([found.get('20'), found.get('21')]).toEqual([POINT, OTHER]);
  });

  it('that are endless are read once a route: what every other call would bring costs megabytes', async () => {
    const names = ['clob-batch', 'clob-single', 'data'] as const;
    const routes = names.map((name) => fakeRoute(name, () => 'too_large'));
    await expect(chain(...routes).read(tokens(45))).rejects.toMatchObject({ failure: 'too_large' });
    expect(routes.map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
  });

  it('are asked once of a route that fails while there is another, since one call shows that it is not well', async () => {
    const batch = fakeRoute('clob-batch', () => 503);
    const single = fakeRoute('clob-single', () => OTHER);
    expect((await chain(batch, single).read(tokens(45))).size).toBe(45);
    expect(batch.calls.map(({ length }) => length)).toEqual([20]);
  });

  it('that the first route has are asked of no other, of Protocol V2 either', async () => {
    const data = fakeRoute('data', () => OTHER);
    const found = await chain(
      fakeRoute('clob-batch', (token) => (token === '25' ? 400 : POINT)),
      data,
    ).read([POSITION, ...tokens(25)]);
    expect(found.get(POSITION)).toEqual(POINT);
    expect(data.calls.flat()).toEqual(tokens(25).slice(19));
  });

  it('ask a route that has just failed last, for 15 s', async () => {
    let broken = true;
    const batch = fakeRoute('clob-batch', () => (broken ? 503 : POINT));
    const single = fakeRoute('clob-single', () => OTHER);
    const { clock, read } = chain(batch, single);
    await read(['1']);
    broken = false;
    await clock.advance(14_999);
    expect((await read(['1'])).get('1')).toEqual(OTHER);
    await clock.advance(1);
    expect((await read(['1'])).get('1')).toEqual(POINT);
  });

  it('that are empty are believed, but for a token of Protocol V2 until every route has said so', async () => {
    const batch = fakeRoute('clob-batch', () => []);
    const data = fakeRoute('data', (token) => (token === POSITION ? POINT : OTHER));
    const found = await chain(batch, data).read(['7', POSITION]);
    expect(found).toEqual(
      new Map([
        ['7', []],
        [POSITION, POINT],
      ]),
    );
    expect(data.calls).toEqual([[POSITION]]);
    const empty = await chain(
      batch,
      fakeRoute('data', () => []),
    ).read([POSITION]);
    expect(empty.get(POSITION)).toEqual([]);
  });

  it('that no route has are an error, the first one; with every route gone nothing is called', async () => {
    const routes = [fakeRoute('clob-batch', () => 404), fakeRoute('clob-single', () => 410)];
    const { read } = chain(...routes);
    await expect(read(['1'])).rejects.toMatchObject({ route: 'clob-batch', status: 404 });
    await expect(read(['1'])).rejects.toThrow('prices-history: no_route');
    expect(routes.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  it('that are wanted of nobody are none', async () => {
    expect((await chain(fakeRoute('data', () => 500)).read([])).size).toBe(0);
  });

  it('are asked for with five retries, one of them after silence; half of the time is kept for the next route', async () => {
    const routes = [
      fakeRoute('clob-batch', () => 503),
      fakeRoute('clob-single', () => 503),
      fakeRoute('data', () => POINT),
    ];
    const { clock, read } = chain(...routes);
    const now = clock.now();
    await read(['1']);
    expect(routes.map(({ limits }) => limits)).toEqual(
      [30_000, 30_000, 60_000].map((ms) => [{ deadline: now + ms, retries: 5, timeoutRetries: 1 }]),
    );
  });

  it('are not asked for after their deadline: what has been found is given', async () => {
    const data = fakeRoute('data', () => POINT);
    const { clock, histories } = chain(
      fakeRoute('clob-batch', () => []),
      data,
    );
    const slow = histories.histories([POSITION], RANGE, clock.now());
    await expect(slow).rejects.toMatchObject({ failure: 'no_route' });
    expect(data.calls).toEqual([]);
  });

  it('are asked of no second route once the time is up', async () => {
    const data = fakeRoute('data', () => POINT);
    const single = fakeRoute('clob-single', () => []);
    const { clock, histories } = chain(
      {
        ...single,
        read: async (...asked) => {
          await clock.advance(1_000);
          return await single.read(...asked);
        },
      },
      data,
    );
    const found = await histories.histories([POSITION], RANGE, clock.now() + 1_000);
    expect(found).toEqual(new Map([[POSITION, []]]));
    expect(data.calls).toEqual([]);
  });

  it('are left alone by a bug: only what an upstream does is borne', async () => {
    const bug = new TypeError('x is undefined');
    const data = fakeRoute('data', () => POINT);
    await expect(
      chain(
        fakeRoute('clob-batch', () => bug),
        data,
      ).read(['1']),
    ).rejects.toBe(bug);
    expect(data.calls).toEqual([]);
  });

  it('that the last route has are all looked for, however its first call ends', async () => {
    const data = fakeRoute('data', (token) => (token === '1' ? 503 : POINT));
    const found = await chain(data).read(tokens(3));
    expect([...found.keys()]).toEqual(['2', '3']);
  });

  it('are looked for by a call for each group even where the first one is refused', async () => {
    const batch = fakeRoute('clob-batch', (token) => (token === '1' ? 400 : POINT));
    const single = fakeRoute('clob-single', () => OTHER);
    const found = await chain(batch, single).read(tokens(21));
    expect(batch.calls.map(({ length }) => length)).toEqual([20, 1]);
    expect(found.get('21')).toEqual(POINT);
    expect(single.calls.flat()).toEqual(tokens(20));
  });

  it('come in calls as large as the route takes that will be tried first', async () => {
    const { clock, histories, health } = chain(
      fakeRoute('clob-batch', () => POINT),
      fakeRoute('data', () => POINT),
    );
    expect(histories.tokensPerCall).toBe(20);
    health.failed('clob-batch', new UpstreamError({ route: 'x', failure: 'network' }));
    expect(histories.tokensPerCall).toBe(1);
    await clock.advance(15_000);
    expect(histories.tokensPerCall).toBe(20);
    expect(chain().histories.tokensPerCall).toBe(1);
  });
});
