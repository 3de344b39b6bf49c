import { PRICE_SOURCES, type PriceSource } from '../../../../lambda/core/contract/market-fields.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { listMarkets } from '../../../../lambda/endpoints/markets/market-lists.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { Dice } from '../../../support/dice.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { testMarket } from '../../../support/markets.ts';
import { ArchiveRig, DAY, idOf } from './archive-rig.ts';

// A day of the service in memory: a snapshot of 13 markets every two minutes, with two outages, and
// markets that enter and leave the list. `archiveWholeDay` archives it.

/** The time between two snapshots. */
export const STEP_MS = 2 * MINUTE_MS;
export const MARKETS = 13;
/** One every two minutes, except in the 30 minutes and the 12 minutes of the outages. */
export const SNAPSHOTS = 720 - 15 - 6;

/** A time of the day, in hours after midnight. */
export const at = (hours: number): Date => new Date(DAY.start + hours * HOUR_MS);

const isBetween = (hour: number, from: number, to: number) => hour >= from && hour < to;
/** From 03:00 to 03:30, and from 23:48 until after midnight. */
const isOutage = (hour: number) => isBetween(hour, 3, 3.5) || isBetween(hour, 23.8, 24.1);

/**
 * Whether a snapshot lists a market. Market 3 is missing for two hours, market 5 leaves and
 * resolves, and market 12 comes late.
 */
const isListed = (n: number, hour: number): boolean => {
  if (n === 3) return !isBetween(hour, 8, 10);
  if (n === 5) return hour < 12;
  return n !== 12 || hour >= 6;
};

/** A market with random prices, some of them unknown. */
function randomMarket(n: number, now: number, dice: Dice): Market {
  const maybe = (value: number) => (dice.chance(0.8) ? value : undefined);
  const price = Math.floor(dice.between(100, 99_900)) / 100_000;
  const pricedAt = new Date(now - Math.floor(dice.between(1, 600_000))).toISOString();
  return testMarket(n, {
    bestBid: maybe(price),
    bestAsk: maybe(price + 0.001),
    bidSize: maybe(price * 1_000_000),
    askSize: maybe(price * 10_000.01),
    midpoint: maybe(price + 0.0005),
    currentProbability: Math.round(price * 100_000) / 1_000,
    doubtfulChanges: dice.chance(0.1) ? ['oneDayPriceChange', 'sevenDayPriceChange'] : undefined,
    priceSource: dice.pick<PriceSource>(PRICE_SOURCES),
    pricedAt: dice.chance(0.2) ? pricedAt : undefined,
    volume: 1_000_000 - n + (now - DAY.start) / MINUTE_MS / 10,
    liquidity: Math.floor(dice.between(0, 1e6)) / 100,
  });
}

/** A market of the API as a row of the archive. */
function rowOf(market: Readonly<Record<string, unknown>>, now: number) {
  const pricedAt = new Date(String(market.pricedAt));
  return {
    time: new Date(now),
    id: String(market.id),
    bid: market.bestBid ?? null,
    ask: market.bestAsk ?? null,
    midpoint: market.midpoint ?? null,
    probability: Number((Number(market.currentProbability) / 100).toFixed(5)),
    source: String(market.priceSource),
    priced_at: Number(pricedAt) === now ? null : pricedAt,
    volume: market.volume,
    liquidity: market.liquidity,
    doubtful_changes: (market.doubtfulChanges as string[] | undefined)?.join(',') ?? null,
    bid_size: market.bidSize ?? null,
    ask_size: market.askSize ?? null,
  };
}

/**
 * Publishes a snapshot of 13 markets every two minutes of a day and a few minutes more, and runs
 * the archive's job. Market 5 resolves to No at 13:00, and three markets have rules.
 *
 * @returns the archive, and what the API returned for each snapshot of the day as rows in the order
 * of the file
 */
export async function archiveWholeDay() {
  const rig = new ArchiveRig();
  const dice = new Dice(3);
  const reader = new SnapshotReader({ client: rig.table.client, table: 'table' });
  const logger = { warn: () => undefined };
  const snapshots = new SnapshotCache({ reader, clock: rig.clock, logger });
  const list = listMarkets({ snapshots, now: rig.clock.now });
  const served: ReturnType<typeof rowOf>[] = [];
  for (; rig.now < Number(at(24.3)); rig.now += STEP_MS) {
    const hour = (rig.now - DAY.start) / HOUR_MS;
    if (isOutage(hour)) continue;
    const numbers = Array.from({ length: MARKETS }, (_, n) => n).filter((n) => isListed(n, hour));
    const id = await rig.publish(numbers.map((n) => randomMarket(n, rig.now, dice)));
    // A snapshot of the next day.
    if (hour >= 24) continue;
    const path = `/api/markets?snapshot=${id}&fields=all`;
    const { body } = await list(endpointRequest('list-markets', path));
    for (const market of JSON.parse(body)) served.push(rowOf(market, rig.now));
  }
  served.sort((a, b) => (a.id === b.id ? Number(a.time) - Number(b.time) : a.id < b.id ? -1 : 1));
  const resolvedAt = Number(at(13));
  rig.resolutions.set(idOf(5), { status: 'resolved', payouts: [0, 1], resolvedAt });
  const readAt = rig.now;
  const description = 'If it happens.\n\nOtherwise not.';
  rig.rules.set(idOf(2), { description, resolutionSource: 'NOAA', readAt });
  rig.rules.set(idOf(7), { description: 'By noon.', readAt });
  rig.rules.set(idOf(8), { readAt });
  await rig.runAfter();
  return { rig, served };
}
