import { describe, expect, it } from '@jest/globals';
import { LiveHistories } from '../../../../lambda/polymarket/live-histories.ts';
import { RouteHealth } from '../../../../lambda/polymarket/route-health.ts';
import { type FakeRoute, fakeRoute } from '../../../support/fake-history-route.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const REQUEST = { kind: 'interval', interval: '1d', fidelity: 5 } as const;
const POINT = [{ t: 1_500, p: 0.4 }];
const OTHER = [{ t: 1_500, p: 0.6 }];
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);

function live(...routes: FakeRoute[]) {
  const clock = new ManualClock();
  const histories = new LiveHistories({ routes, health: new RouteHealth(clock), clock });
  return { clock, points: (token = '7') => histories.points(token, REQUEST, clock.now() + 4_000) };
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
    await expect(points()).rejects.toMatchObject({ failure: 'no_route' });
  });
});
