import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/domain/market.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakePublisher } from './fake-upstreams.ts';
import { type Timing, timedUpstream, USUAL } from './timed-upstream.ts';

const STEPS = ['thirtyDayPriceChange', 'sevenDayPriceChange', 'oneDayPriceChange', 'midpoint'] as const;
/** What is still done with less and less time: the past of the two longer windows is asked for together. */
const ENDS = [STEPS, STEPS.slice(2), STEPS.slice(3), []];
type Step = (typeof STEPS)[number];

/** A run that has so much time, on a simulated clock. */
async function runWithin(ms: number, timing: Timing, pages: number) {
  const clock = new ManualClock();
  const { calls, ...upstream } = timedUpstream(clock, timing, pages);
  const { publisher, published } = fakePublisher();
  const options = { ...upstream, publisher, clock, random: () => 0.5, maxMarkets: 2_000 };
  const run = refresh(options, clock.now() + ms).catch((error: unknown) => error as Error);
  await clock.advance(ms);
  const result = await run;
  return { calls, result, markets: published[0]?.entries.map(({ market }) => market) };
}

/** What a snapshot has of everything that a run may give up. */
function done(markets: readonly Market[]): Step[] {
  const [first] = markets;
  return STEPS.filter((step) =>
    step === 'midpoint' ? first?.currentProbability === 50 : typeof first?.[step] === 'number',
  );
}

describe('a run with less and less time', () => {
  it('gives up the 30- and 7-day changes, the 1-day ones and the prices, in this order, and publishes', async () => {
    // Midpoints that take most of what is kept for them, so that there is a time at which only they are too late.
    const timing = { ...USUAL, page: 100, midpoints: 2_700 };
    const seen: string[] = [];
    for (let ms = 14_000; ms >= 5_300; ms -= 100) {
      const { markets } = await runWithin(ms, timing, 2);
      expect(markets).toHaveLength(200);
      const steps = done(markets ?? []).join();
      if (steps !== seen.at(-1)) seen.push(steps);
    }
    expect(seen).toEqual(ENDS.map((steps) => steps.join()));
  });

  it('fails, and publishes nothing, when there is none for the catalogue', async () => {
    const { result, markets } = await runWithin(5_100, { ...USUAL, page: 100 }, 2);
    expect(result).toMatchObject({ name: 'UpstreamError', failure: 'timeout' });
    expect(markets).toBeUndefined();
  });
});

describe('a route that is dead', () => {
  const PAGES = 20;
  const RUN_MS = 116_000;
  const CRAWL_MS = PAGES * USUAL.page;

  it.each([
    ['hangs', 'hang', 240],
    ['is gone', 'gone', 20],
  ] as const)('does not eat the run: batch histories, %s', async (_, histories, mostCalls) => {
    const { calls, result, markets } = await runWithin(RUN_MS, { ...USUAL, histories }, PAGES);
    expect(calls.histories).toBeLessThanOrEqual(mostCalls);
    expect(result).toMatchObject({ outcome: 'published' });
    // One by one, at half of the calls that upstream allows.
    expect('durationMs' in result && result.durationMs).toBeLessThan(CRAWL_MS + 75_000);
    expect(done(markets ?? [])).toEqual(STEPS);
    expect(markets?.filter(({ oneDayPriceChange }) => oneDayPriceChange === null)).toEqual([]);
  });

  it('does not eat the run: midpoints that hang', async () => {
    const { calls, result, markets } = await runWithin(RUN_MS, { ...USUAL, midpoints: 'hang' }, PAGES);
    expect(calls.midpoints).toBeLessThanOrEqual(80);
    expect('publishMs' in result && result.publishMs).toBeLessThan(45_000);
    expect('durationMs' in result && result.durationMs).toBeLessThan(RUN_MS);
    expect(markets).toHaveLength(PAGES * 100);
    expect(markets?.[0]?.currentProbability).toBe(5.4);
  });
});
