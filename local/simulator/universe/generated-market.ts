import type { SimulatedMarket } from '../market.ts';
import { type Quote, quoteAround } from '../prices.ts';
import { Draw, hexWords, mix, unit } from '../random.ts';
import type { Amounts } from './amounts.ts';
import { isoDate } from './dates.ts';
import { ODDITIES, type Oddities } from './oddities.ts';
import type { GeneratedEvent, MarketDraft } from './topics.ts';
import { wireMarket } from './wire-market.ts';

interface MarketParts extends Partial<Amounts>, Readonly<Record<'id' | 'slug', string>> {
  readonly event: GeneratedEvent;
  readonly draft: MarketDraft;
  /** Its place in the event, from 0. */
  readonly place: number;
}

/** The others are only for markets whose price is their own, so that prices which add up stay complete. */
const EVERYWHERE: readonly string[] = ['decoyPositions', 'decoyTokens', 'padded', 'outerSpaces'];

/** The last trade changes at most this often. */
const TRADE_EVERY_MS = 600_000;
const WIDE_SPREAD = 0.1;

/** A generated market; its prices are a function of the time alone. */
export function generatedMarket(parts: MarketParts): SimulatedMarket {
  const { event, draft, place, id, slug, volume = 0, liquidity = 0, spread = 0.01 } = parts;
  const key = mix(event.key, place + 0x10);
  const draw = new Draw(key, 'market');
  const isOdd = (name: string, share: number): boolean =>
    draw.chance(share) && (!event.negRisk || EVERYWHERE.includes(name));
  const odd = Object.fromEntries(
    Object.entries(ODDITIES).map(([name, share]) => [name, isOdd(name, share)]),
  ) as Oddities;
  const fair = event.prices[place] ?? (() => 0.5);
  const price = fair(event.createdAt);
  const units = unitsOf(price, draw);
  // A spread cannot reach beyond the prices.
  const width = Math.min(spread, 1.6 * Math.min(price, 1 - price));
  const spreadTicks = Math.max(1, Math.round(width * units));
  const untraded = draw.chance(width > WIDE_SPREAD || odd.emptyBook ? 0.3 : 0.01);
  const traded = untraded ? 0 : Number((volume * draw.between(0.9, 1.1)).toFixed(6));
  const quote = (atMs: number): Quote =>
    odd.emptyBook || odd.noOrderBook ? { bid: null, ask: null } : quoteAround(fair(atMs), units, spreadTicks);
  // RFC 3339, now and then with a fraction of 1 to 9 digits.
  const fraction = draw.chance(0.05) ? `.${'123456789'.slice(0, draw.whole(1, 9))}Z` : 'Z';
  const facts = {
    ...idsOf(key, event, odd),
    id,
    slug,
    volume: traded,
    volume24hr: draw.chance(0.25) ? 0 : Number((traded * 10 ** draw.between(-3.5, -1)).toFixed(6)),
    liquidity: Number(liquidity.toFixed(5)),
    createdAt: event.createdAt,
    endDate: odd.noEndDate || odd.noEndAtAll ? '' : isoDate(event.endsAt).replace('Z', fraction),
    negRisk: event.negRisk,
    hasBook: !odd.noOrderBook,
    units,
    key,
    quote,
    lastTrade: (atMs: number) => (untraded ? undefined : lastTrade(quote, units, key, atMs)),
  };
  return { ...facts, wire: (atMs, tags) => wireMarket({ ...facts, event, draft, odd }, atMs, tags) };
}

/** Mostly ticks of 0.001; always where a price is near 0 or 1. */
function unitsOf(price: number, draw: Draw): number {
  const other = draw.chance(0.2) ? 100 : draw.chance(0.05) ? draw.pick([400, 200, 10_000]) : 1_000;
  return price < 0.04 || price > 0.96 ? Math.max(1_000, other) : other;
}

/** From the bid to the ask of some minutes ago, 0 to 1. */
function lastTrade(quote: (atMs: number) => Quote, units: number, key: number, atMs: number): number {
  const step = Math.floor(atMs / TRADE_EVERY_MS);
  const { bid, ask } = quote(step * TRADE_EVERY_MS);
  if (bid === null || ask === null) return (bid ?? ask ?? units / 2) / units;
  return (bid + Math.round((ask - bid) * unit(mix(key, step)))) / units;
}

/** The ids of a market. Its version decides which field of the record counts (docs/upstream.md). */
function idsOf(key: number, { v2, negRisk }: GeneratedEvent, odd: Oddities) {
  // The last 14 bytes of a condition id of Protocol V2 are zero.
  const zeros = '0'.repeat(28);
  const decoys = [tokenId(key, 2), tokenId(key, 3)];
  const condition = v2 ? `0x${negRisk ? '02' : '01'}${hexWords(key, 4)}${zeros}` : `0x${hexWords(key, 8)}`;
  const tokens = v2 ? positionIds(condition) : ([tokenId(key, 0), tokenId(key, 1)] as const);
  const own = odd.pendingIds ? undefined : tokens;
  const decoyPositions = positionIds(`0x01${condition.slice(-32)}${zeros}`);
  const version = odd.unknownVersion ? 'v3' : odd.withoutVersion ? undefined : 'v1';
  return {
    version: v2 ? ('v2' as const) : ('v1' as const),
    conditionId: condition.padEnd(66, '0'),
    tokens,
    record: {
      version: v2 ? 'v2' : version,
      conditionId: v2 && odd.padded ? condition.padEnd(66, '0') : condition,
      positionIds: v2 ? own : odd.decoyPositions ? decoyPositions : undefined,
      clobTokenIds: v2 ? (odd.decoyTokens ? decoys : null) : own,
    },
  };
}

/** A decimal number of 256 bits, as v1 tokens are. */
function tokenId(key: number, purpose: number): string {
  return BigInt(`0x${hexWords(mix(key, 0x70c0 + purpose), 8)}`).toString();
}

/** The two position ids of a 31-byte condition id: the id followed by one byte, the number of the outcome. */
function positionIds(condition: string): readonly [string, string] {
  return [BigInt(`${condition}00`).toString(), BigInt(`${condition}01`).toString()];
}
