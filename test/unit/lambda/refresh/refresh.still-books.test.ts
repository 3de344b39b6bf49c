import { expect, it } from '@jest/globals';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { Dice } from '../../../support/dice.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { readRecording, withRecordings } from '../../../support/recordings.ts';
import { fakePrices, fakePublisher, pagedCatalogue } from './fake-upstreams.ts';

const WHAT = 'whose books stood still have changes of 0 or none';

withRecordings(`recorded markets ${WHAT}`, async () => {
  const { wide, changes } = await changesOf(readRecording<unknown[]>('gamma-markets.json'));
  expect(wide).toBeGreaterThan(10);
  expect(changes.filter((change) => change === 0).length).toBeGreaterThan(500);
  expect(changes.filter((change) => change !== null && change !== 0)).toEqual([]);
});

it(`made up markets with wide spreads, last traded anywhere between, ${WHAT}`, async () => {
  const dice = new Dice(7);
  const records = Array.from({ length: 200 }, (_, n) => {
    const bestBid = Math.round(dice.between(1, 600)) / 1_000;
    const bestAsk = Math.round(dice.between(bestBid * 1_000 + 5, 999)) / 1_000;
    const lastTradePrice = Math.round(dice.between(bestBid, bestAsk) * 1_000) / 1_000;
    return gammaRecord({
      id: String(n),
      conditionId: `0x${n.toString(16).padStart(64, '0')}`,
      slug: `market-${n}`,
      clobTokenIds: JSON.stringify([String(1_000 + 2 * n), String(1_001 + 2 * n)]),
      outcomePrices: JSON.stringify([String(lastTradePrice), String(1 - lastTradePrice)]),
      spread: bestAsk - bestBid,
      bestBid,
      bestAsk,
      lastTradePrice,
    });
  });
  const { wide, changes } = await changesOf(records);
  expect(wide).toBeGreaterThan(100);
  expect(changes.filter((change) => change === 0).length).toBeGreaterThanOrEqual(200);
  expect(changes.filter((change) => change !== null && change !== 0)).toEqual([]);
});

/** The changes of markets in Gamma's form, whose midpoints are today what they have always been; and how many have wide spreads. */
async function changesOf(catalogue: readonly unknown[]) {
  const records = catalogue.map(readGammaMarket);
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
  const changes = markets.flatMap((market) => [
    market.oneDayPriceChange,
    market.sevenDayPriceChange ?? null,
    market.thirtyDayPriceChange ?? null,
  ]);
  return { wide, changes };
}
