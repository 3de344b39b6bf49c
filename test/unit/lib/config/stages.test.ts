import { describe, expect, it } from '@jest/globals';
import { stageFromContext } from '../../../../lib/config/stage-context.ts';
import { freshSecondsOf } from '../../../../lib/config/stages.ts';

describe('the limits of a stage', () => {
  it('follow from the public rate: the API as a whole takes twice as much, for partners', () => {
    expect(stageFromContext({ publicRate: '200' })).toMatchObject({
      publicPlan: { ratePerSecond: 200, burst: 5_000 },
      stageThrottle: { ratePerSecond: 400, burst: 5_000 },
    });
  });

  it('let a salvo of 3,000 requests of one address through to the per-IP limit, with room for others', () => {
    for (const stage of ['dev', 'prod']) {
      expect(stageFromContext({ stage }).publicPlan.burst).toBeGreaterThanOrEqual(3_000 + 1_000);
    }
  });

  it('ask for no larger burst than the region grants', () => {
    expect(stageFromContext({ region: 'eu-south-1' }).publicPlan.burst).toBe(1_250);
    expect(stageFromContext({}, 'eu-south-1').publicPlan.burst).toBe(1_250);
    expect(stageFromContext({ region: 'eu-west-1' }, 'eu-south-1').publicPlan.burst).toBe(5_000);
    // The stacks are bound to a region only where the stage is.
    expect(stageFromContext({}, 'eu-south-1').region).toBeUndefined();
  });

  it.each(['dev', 'prod'])('hold a fuse of the bill in %s: a rate, a day’s quota and a budget', (stage) => {
    const { publicPlan, monthlyBudgetUsd } = stageFromContext({ stage });
    expect(publicPlan.ratePerSecond).toBeLessThanOrEqual(300);
    expect(publicPlan.requestsPerDay).toBeLessThan(publicPlan.ratePerSecond * 86_400);
    expect(monthlyBudgetUsd).toBeGreaterThan(0);
  });
});

describe('the interval of the refresh', () => {
  it.each([
    ['1', 120],
    ['2', 120],
    ['5', 300],
  ])('of %s minutes makes data fresh for %i s', (refreshMinutes, seconds) => {
    expect(freshSecondsOf(stageFromContext({ refreshMinutes }))).toBe(seconds);
  });

  it('is two minutes for 50,000 markets as well', () => {
    expect(stageFromContext({ maxMarkets: '50000' })).toMatchObject({
      maxMarkets: 50_000,
      refreshMinutes: 2,
    });
  });
});

it('a URL of an upstream loses the slash at its end', () => {
  const url = 'http://127.0.0.1:4000';
  expect(stageFromContext({ gammaUrl: `${url}/`, clobUrl: `${url}/` })).toMatchObject({
    gammaUrl: url,
    clobUrl: url,
  });
});
