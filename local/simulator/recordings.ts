import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError } from './faults.ts';
import type { SimulatedMarket, Universe, WireObject } from './market.ts';
import { logistic, middle, type Quote, quoteAround, wave } from './prices.ts';
import { hashText } from './random.ts';
import { HOUR_MS } from './universe/dates.ts';

/** Maximum log-odds between a price before the recording and the recorded one. */
const RANGE = 1.2;

/**
 * Serves the markets of a recorded catalogue. Books and histories derive from the quote in each record: the quote is
 * constant from `now` on, and moves before.
 *
 * @throws OptionError when the folder has no recorded catalogue
 */
export function recordedUniverse(folder: string, now: number): Universe {
  const path = join(folder, 'gamma-markets.json');
  let records: unknown;
  try {
    records = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new OptionError(`--recordings needs ${path}: it is missing or does not hold JSON.`);
  }
  if (!Array.isArray(records)) throw new OptionError(`${path} does not hold a list of markets.`);
  const markets = (records as readonly WireObject[]).flatMap((record) => marketOf(record, now) ?? []);
  return { description: `${markets.length} recorded markets of ${folder}`, until: () => markets };
}

/** The market of a record; undefined when the record has no condition or no two ids. */
function marketOf(record: WireObject, now: number): SimulatedMarket | undefined {
  const number = (name: string): number => Number(record[name]) || 0;
  const text = (name: string): string => String(record[name] ?? '');
  const version = record.version === 'v2' ? 'v2' : 'v1';
  const [yes, no] = listOf(version === 'v2' ? record.positionIds : record.clobTokenIds);
  if (yes === undefined || no === undefined || text('conditionId') === '') return undefined;
  const key = hashText(text('conditionId'));
  const units = Math.round(1 / (number('orderPriceMinTickSize') || 0.01));
  const recorded = quoteOf(record, units);
  const price = middle(recorded, units);
  const offset = Math.log(price / (1 - price)) - RANGE * wave(key, now);
  const age = Date.parse(text('updatedAt')) - Date.parse(text('createdAt'));
  const quote = (atMs: number): Quote => {
    if (atMs >= now || recorded.bid === null || recorded.ask === null) return recorded;
    return quoteAround(logistic(offset + RANGE * wave(key, atMs)), units, recorded.ask - recorded.bid);
  };
  return {
    id: text('id'),
    slug: text('slug'),
    conditionId: text('conditionId').toLowerCase().padEnd(66, '0'),
    version,
    tokens: [yes, no],
    liquidity: number('liquidityNum'),
    // As old as it was when it was recorded.
    createdAt: now - Math.max(HOUR_MS, age || 0),
    // A recorded market stays open.
    endsAt: Number.POSITIVE_INFINITY,
    closesAt: Number.POSITIVE_INFINITY,
    negRisk: record.negRisk === true,
    hasPrices: record.enableOrderBook === true && record.closed !== true,
    units,
    key,
    volume: () => number('volumeNum'),
    quote,
    price: (atMs) => middle(quote(atMs), units),
    lastTrade: () => number('lastTradePrice') || undefined,
    resolution: () => undefined,
    wire: () => record,
  };
}

/** An array, or a text that holds one as JSON. */
function listOf(value: unknown): readonly string[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** `bestBid` 0 or absent and `bestAsk` 1 or absent are empty sides. */
function quoteOf({ bestBid, bestAsk }: WireObject, units: number): Quote {
  const bid = Math.round(Number(bestBid ?? 0) * units);
  const ask = Math.round(Number(bestAsk ?? 1) * units);
  return { bid: bid > 0 ? bid : null, ask: ask < units ? ask : null };
}
