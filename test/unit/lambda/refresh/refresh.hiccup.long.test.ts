import { describe, expect, it } from '@jest/globals';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakePublisher } from './fake-upstreams.ts';
import { type Blip, timedUpstream, USUAL } from './timed-upstream.ts';

const PAGES = 4;
const RUN_MS = 50_000;
const MOMENTS = 10;
const LENGTHS_MS = [100, 400, 2_000] as const;

async function run(blip?: (started: number) => Blip) {
  const clock = new ManualClock();
  const upstream = timedUpstream(clock, USUAL, PAGES, blip?.(clock.now()));
  const { publisher, published } = fakePublisher();
  const options = { ...upstream, publisher, clock, random: () => 0, maxMarkets: 2_000 };
  const running = refresh(options, clock.now() + RUN_MS);
  await clock.advance(RUN_MS);
  const { durationMs, report } = await running;
  return { durationMs, report, markets: published[0]?.entries.map(({ market }) => market) ?? [] };
}

describe('a hiccup of the upstreams', () => {
  it.each(LENGTHS_MS)(
    'of %i ms costs nothing, whenever it comes',
    async (ms) => {
      const healthy = await run();
      for (let n = 0; n < MOMENTS; n++) {
        const after = (healthy.durationMs * n) / MOMENTS;
        const kind = n % 2 === 0 ? 'status' : 'network';
        const { markets, report } = await run((started) => ({
          from: started + after,
          until: started + after + ms,
          kind,
        }));
        expect([n, markets.length]).toEqual([n, PAGES * 100]);
        expect([n, report.cataloguePriced, report.withOneDayChange]).toEqual([n, 0, PAGES * 100]);
        expect(markets.slice(0, 20).every((market) => market.thirtyDayPriceChange !== undefined)).toBe(true);
      }
    },
    60_000,
  );
});
