import { expect } from '@jest/globals';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { readRecording, withRecordings } from '../../../support/recordings.ts';
import { fakePrices, fakePublisher, pagedCatalogue } from './fake-upstreams.ts';

withRecordings('recorded markets whose books stood still have changes of 0 or none', async () => {
  const records = readRecording<unknown[]>('gamma-markets.json').map(readGammaMarket);
  const midpoints = new Map<string, number>();
  let wide = 0;
  for (const record of records) {
    if (record.kind !== 'listable') continue;
    const { yesTokenId, bestBid = 0, bestAsk = 1, spread = 0 } = record.market;
    midpoints.set(yesTokenId, Number(((bestBid + bestAsk) / 2).toFixed(5)));
    if (spread > 0.1) wide += 1;
  }
  const standing = (token: string, t: number) => [{ t, p: midpoints.get(token) ?? 0 }];
  const prices = fakePrices({
    midpoints: async (tokens) => new Map(tokens.map((token) => [token, midpoints.get(token) ?? 0])),
    histories: async (tokens, { start }) => new Map(tokens.map((token) => [token, standing(token, start)])),
  });
  const { publisher, published } = fakePublisher();
  const clock = new ManualClock();
  await refresh(
    {
      catalogue: pagedCatalogue([records]),
      prices,
      publisher,
      clock,
      random: () => 0.5,
      maxMarkets: 2_000,
    },
    clock.now() + 100_000,
  );
  const markets = published[0]?.entries.map(({ market }) => market) ?? [];
  expect(wide).toBeGreaterThan(10);
  expect(markets.length).toBeGreaterThan(500);
  const changes = markets.flatMap((market) => [
    market.oneDayPriceChange,
    market.sevenDayPriceChange ?? null,
    market.thirtyDayPriceChange ?? null,
  ]);
  expect(changes.filter((change) => change === 0).length).toBeGreaterThan(500);
  expect(changes.filter((change) => change !== null && change !== 0)).toEqual([]);
});
