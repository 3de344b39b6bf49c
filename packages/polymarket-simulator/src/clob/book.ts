import { createHash } from 'node:crypto';
import { Draw } from '../dataset/hash.ts';
import type { Instrument, Level } from '../source.ts';
import { tradeText } from './quotes.ts';

/** A book changes at least this often; its `timestamp` is the last change, not the time of the response. */
const CHANGE_EVERY_MS = 30_000;
const MOST_LEVELS = 30;

/**
 * A book as CLOB writes it: bids ascend and asks descend, so that the best level is the **last** of each; all numbers
 * are strings, not canonical ones. `market` is the condition id with 64 digits; only v2 books say their version.
 */
export function wireBook(instrument: Instrument, nowMs: number): Record<string, unknown> {
  if (instrument.book !== undefined) return instrument.book;
  const changed = nowMs - ((nowMs + (instrument.key % CHANGE_EVERY_MS)) % CHANGE_EVERY_MS);
  const { bid, ask } = instrument.quote(nowMs);
  const { units } = instrument;
  const trade = instrument.lastTrade(nowMs);
  // Outcome 1's asks are outcome 0's bids seen in a mirror: they share the side of the first book they come from.
  const side = (own: 0 | 1) => (own + instrument.outcome) % 2;
  return hashed({
    market: instrument.conditionId,
    asset_id: instrument.token,
    timestamp: String(changed),
    hash: '',
    bids: bid === null ? [] : levels(instrument.key, side(0), bid, units, (ticks) => ticks),
    asks: ask === null ? [] : levels(instrument.key, side(1), units - ask, units, (ticks) => units - ticks),
    ...(instrument.oldBook
      ? {}
      : {
          min_order_size: '5',
          tick_size: String(1 / units),
          neg_risk: instrument.negRisk,
          last_trade_price: trade === undefined ? '' : tradeText(trade, units),
        }),
    ...(instrument.version === 'v2' ? { version: 'v2' } : {}),
  });
}

/** Upstream's own rule: the SHA-1 of the compact JSON, keys in served order, with an empty `hash`. */
function hashed(book: Record<string, unknown>): Record<string, unknown> {
  return { ...book, hash: createHash('sha1').update(JSON.stringify(book)).digest('hex') };
}

/** Levels from the worst to the best, walking down from `best` ticks; `price` turns ticks into this side's own. */
function levels(
  key: number,
  side: number,
  best: number,
  units: number,
  price: (ticks: number) => number,
): Level[] {
  const draw = new Draw(key, side === 0 ? 'bids' : 'asks');
  const count = draw.whole(3, MOST_LEVELS);
  const list: Level[] = [];
  for (let ticks = best; ticks >= 1 && list.length < count; ticks -= draw.pick([1, 1, 1, 2, 3, 7])) {
    const size = 5 * 10 ** draw.between(0, 4);
    list.unshift({
      price: String(price(ticks) / units),
      size: draw.chance(0.2) ? String(Math.round(size)) : size.toFixed(draw.whole(1, 2)),
    });
  }
  return list;
}
