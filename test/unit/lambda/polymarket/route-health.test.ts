import { describe, expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import type { HistoryRouteName } from '../../../../lambda/polymarket/history-route.ts';
import { RouteHealth } from '../../../../lambda/polymarket/route-health.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const ROUTES = [{ name: 'clob-batch' }, { name: 'clob-single' }, { name: 'data' }] as const;
const GONE = status(404);
const BROKEN = status(503);
const HOUR = 3_600_000;

function status(code: number) {
  return new UpstreamError({ route: 'prices-history', failure: 'status', status: code });
}

function rig() {
  const clock = new ManualClock();
  const health = new RouteHealth(clock);
  const names = (routes: readonly { readonly name: HistoryRouteName }[]) => routes.map(({ name }) => name);
  return {
    clock,
    health,
    order: () => names(health.order(ROUTES)),
    lastResort: () => names(health.lastResort(ROUTES)),
  };
}

describe('routes', () => {
  it('are tried in their order, none of them for want of another, while nothing is known of them', () => {
    const { order, lastResort, health } = rig();
    expect(order()).toEqual(['clob-batch', 'clob-single', 'data']);
    expect(lastResort()).toEqual([]);
    expect(health.inUse).toBeUndefined();
  });

  it('that have just failed are tried last, in their order, for 15 s', async () => {
    const { clock, health, order } = rig();
    health.failed('clob-batch', BROKEN);
    await clock.advance(5_000);
    health.failed('clob-single', new UpstreamError({ route: 'prices-history', failure: 'timeout' }));
    expect(order()).toEqual(['data', 'clob-batch', 'clob-single']);
    await clock.advance(9_999);
    expect(order()).toEqual(['data', 'clob-batch', 'clob-single']);
    await clock.advance(1);
    expect(order()).toEqual(['clob-batch', 'data', 'clob-single']);
    await clock.advance(5_000);
    expect(order()).toEqual(['clob-batch', 'clob-single', 'data']);
  });

  it('that are gone are not tried for an hour', async () => {
    const { clock, health, order } = rig();
    health.failed('clob-single', GONE);
    expect(order()).toEqual(['clob-batch', 'data']);
    await clock.advance(HOUR - 1);
    expect(order()).toEqual(['clob-batch', 'data']);
    await clock.advance(1);
    expect(order()).toEqual(['clob-batch', 'clob-single', 'data']);
  });

  it('that are gone are no better for having failed otherwise before', () => {
    const { health, order } = rig();
    health.failed('data', BROKEN);
    health.failed('data', GONE);
    expect(order()).toEqual(['clob-batch', 'clob-single']);
  });

  it.each([400, 413, 422])('are as well as before after a %i, which speaks of one request', (code) => {
    const { health, order, lastResort } = rig();
    health.failed('clob-batch', status(code));
    expect(order()).toEqual(['clob-batch', 'clob-single', 'data']);
    expect(lastResort()).toEqual([]);
  });

  it('that are gone are the last resort from a minute on', async () => {
    const { clock, health, lastResort } = rig();
    health.failed('clob-batch', GONE);
    await clock.advance(30_000);
    health.failed('data', GONE);
    await clock.advance(29_999);
    expect(lastResort()).toEqual([]);
    await clock.advance(1);
    expect(lastResort()).toEqual(['clob-batch']);
    await clock.advance(30_000);
    expect(lastResort()).toEqual(['clob-batch', 'data']);
    // Still gone: it waits another minute.
    health.failed('clob-batch', GONE);
    expect(lastResort()).toEqual(['data']);
  });

  it('that only failed are no last resort: they are tried anyway', async () => {
    const { clock, health, lastResort } = rig();
    health.failed('clob-batch', BROKEN);
    await clock.advance(HOUR);
    expect(lastResort()).toEqual([]);
  });

  it.each([
    ['failed', BROKEN],
    ['were gone', GONE],
  ])('that %s are in their place again once they respond', (_, error) => {
    const { health, order, lastResort } = rig();
    health.failed('clob-batch', error);
    health.responded('clob-batch');
    expect(order()).toEqual(['clob-batch', 'clob-single', 'data']);
    expect(lastResort()).toEqual([]);
  });

  it('are in use when they responded last, but not when they filled gaps of another', () => {
    const { health } = rig();
    health.responded('clob-batch');
    health.responded('data', false);
    expect(health.inUse).toBe('clob-batch');
    health.responded('data', true);
    expect(health.inUse).toBe('data');
  });

  it('that fill gaps are well again, too', () => {
    const { health, order } = rig();
    health.failed('clob-batch', BROKEN);
    health.responded('clob-batch', false);
    expect(order()[0]).toBe('clob-batch');
  });
});
