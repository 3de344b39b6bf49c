import type { SimulatedMarket } from '../market.ts';
import { middle, type Quote, quoteAround } from '../prices.ts';
import { Draw, hexWords, mix, unit } from '../random.ts';
import { amountsOf } from './amounts.ts';
import { DAY_MS, isoDate, MINUTE_MS } from './dates.ts';
import { resolutionOf } from './lifetime.ts';
import type { GeneratedEvent, MarketDraft } from './topics.ts';
import { ODDITIES, type Oddities, wireMarket } from './wire-market.ts';

interface MarketParts extends Readonly<Record<'id' | 'slug', string>> {
  readonly event: GeneratedEvent;
  readonly draft: MarketDraft;
  /** The market's number in its event, from 0. */
  readonly place: number;
  /** The time of the amounts; a later market has them at its end. */
  readonly now: number;
}

/**
 * The oddities of markets in any event. The others would break the sum of an exclusive event's
 * prices.
 */
const EVERYWHERE: readonly string[] = ['decoyPositions', 'decoyTokens', 'padded', 'outerSpaces'];

/** Above this spread (0 to 1), many markets have never been traded. */
const WIDE_SPREAD = 0.1;
/** Keeps the sum of an exclusive event near 1, even if a last trade replaces the middle. */
const MAX_EXCLUSIVE_SPREAD = 0.03;
/** The part of the last stretch in which any book is wide. */
const WIDE_AT_END = [0.55, 0.7] as const;
/** In USD. Below it, a market can have days without a trade. */
const MAX_QUIET_VOLUME = 5_000;
/** A market's volume grows at most by this factor from the simulator's start to its end. */
const MAX_GROWTH = 4;

/** Makes a market of an event. All its data follows from the event's seed and its place there. */
export function generatedMarket(parts: MarketParts): SimulatedMarket {
  const { event, draft, place, id, slug, now } = parts;
  const { endsAt, closesAt, createdAt, runsFrom } = event;
  const key = mix(event.key, place + 0x10);
  const draw = new Draw(key, 'market');
  const isOdd = (name: string, share: number): boolean =>
    draw.chance(share) && (!event.negRisk || EVERYWHERE.includes(name));
  const odd = Object.fromEntries(
    Object.entries(ODDITIES).map(([name, share]) => [name, isOdd(name, share)]),
  ) as Oddities;
  const fair = event.prices[place] ?? (() => 0.5);
  const startPrice = fair(createdAt);
  const units = unitsOf(startPrice, draw);
  const { volume, liquidity, spread } = amountsOf(popularityOf(event, startPrice, draw), draw);
  const widest = event.negRisk ? Math.min(spread, MAX_EXCLUSIVE_SPREAD) : spread;
  // Near 0 and 1, a spread as wide as elsewhere would reach beyond the range of prices.
  const widthAt = (price: number): number => Math.min(widest, 1.6 * Math.min(price, 1 - price));
  const width = widthAt(startPrice);
  const untraded = draw.chance(width > WIDE_SPREAD || odd.emptyBook ? 0.3 : 0.01);
  const total = untraded ? () => 0 : volumeOver({ createdAt, endsAt, now, volume, draw });
  const usual = (atMs: number): Quote => {
    const price = fair(atMs);
    return quoteAround(price, units, Math.max(1, Math.round(widthAt(price) * units)));
  };
  const bookAt = (atMs: number): Quote => {
    if (odd.emptyBook || odd.noOrderBook || atMs >= endsAt) return { bid: null, ask: null };
    const done = (atMs - runsFrom) / (endsAt - runsFrom);
    if (done >= WIDE_AT_END[0] && done < WIDE_AT_END[1])
      return quoteAround(fair(atMs), units, 0.2 * units);
    return usual(atMs);
  };
  // Some end dates have a fraction of a second with 1 to 9 digits.
  const fraction = draw.chance(0.05) ? `.${'123456789'.slice(0, draw.whole(1, 9))}Z` : 'Z';
  const tradeEveryMs = Math.min(10 * MINUTE_MS, (endsAt - runsFrom) / 40);
  const market = {
    ...idsOf(key, event, odd),
    id,
    slug,
    liquidity: Number(liquidity.toFixed(5)),
    createdAt,
    endsAt,
    closesAt,
    negRisk: event.negRisk,
    hasPrices: !odd.noOrderBook,
    units,
    key,
    volume: total,
    quote: bookAt,
    price: (atMs: number) => (odd.emptyBook ? 0.5 : middle(usual(atMs), units)),
    lastTrade: (atMs: number) =>
      untraded
        ? undefined
        : lastTrade(
            { quote: usual, units, key },
            Math.floor(Math.min(atMs, endsAt - 1) / tradeEveryMs),
            tradeEveryMs,
          ),
    resolution: (atMs: number) => resolutionOf(event, place, atMs),
  };
  const endDate =
    odd.noEndDate || odd.noEndAtAll ? undefined : isoDate(endsAt).replace('Z', fraction);
  return {
    ...market,
    wire: (atMs, tags) => wireMarket({ ...market, event, draft, odd, endDate }, atMs, tags),
  };
}

/** The share of markets with less volume: some events, and their favourites, are traded more. */
function popularityOf({ key, popularity }: GeneratedEvent, price: number, draw: Draw): number {
  const sum =
    popularity + 0.4 * new Draw(key, 'luck').next() + 0.2 * draw.next() + 0.35 * Math.sqrt(price);
  return Math.min(0.999, sum / 1.7);
}

/**
 * The volume at each time. It grows faster or slower towards the end, in steps of a minute; quiet
 * markets rest for days. `volume` is that of `now`. The power is limited, because a market that has
 * just begun would otherwise grow to billions: its share of the life, to the power of 4, is almost
 * 0.
 */
function volumeOver({
  createdAt,
  endsAt,
  now,
  volume,
  draw,
}: Readonly<Record<'createdAt' | 'endsAt' | 'now' | 'volume', number>> & { readonly draw: Draw }) {
  const drawnPower = 2 ** draw.between(-1, 2);
  const stepMs = volume < MAX_QUIET_VOLUME && draw.chance(0.5) ? 3 * DAY_MS : MINUTE_MS;
  const grown = (atMs: number): number => {
    const traded = Math.min(atMs, endsAt) - createdAt;
    return Math.max(0, Math.floor(traded / stepMs) * stepMs) / (endsAt - createdAt);
  };
  const amount = volume * draw.between(0.9, 1.1);
  const share = now < endsAt ? grown(now) : 0;
  const hasBegun = share > 0;
  const maxPower = hasBegun ? Math.log(MAX_GROWTH) / -Math.log(share) : Number.POSITIVE_INFINITY;
  const power = Math.min(drawnPower, maxPower);
  const final = hasBegun ? amount / share ** power : amount;
  return (atMs: number): number => Number((final * grown(atMs) ** power).toFixed(6));
}

/** The ticks per dollar: mostly 1,000, and at least 1,000 near a price of 0 or 1. */
function unitsOf(price: number, draw: Draw): number {
  const other = draw.chance(0.2) ? 100 : draw.chance(0.05) ? draw.pick([400, 200, 10_000]) : 1_000;
  return price < 0.04 || price > 0.96 ? Math.max(1_000, other) : other;
}

/** The last trade (0 to 1): a price between bid and ask at the beginning of a step. */
function lastTrade(
  market: Pick<SimulatedMarket, 'quote' | 'units' | 'key'>,
  step: number,
  stepMs: number,
): number {
  const { quote, units, key } = market;
  const { bid, ask } = quote(step * stepMs);
  if (bid === null || ask === null) return (bid ?? ask ?? units / 2) / units;
  return (bid + Math.round((ask - bid) * unit(mix(key, step)))) / units;
}

/**
 * The ids of a market, and the fields of Gamma's record that contain them. The version decides
 * which of these fields counts (docs/upstream.md).
 */
function idsOf(key: number, { v2, negRisk }: GeneratedEvent, odd: Oddities) {
  // A Protocol V2 condition id ends with 14 zero bytes.
  const zeros = '0'.repeat(28);
  const decoys = [tokenId(key, 2), tokenId(key, 3)];
  const condition = v2
    ? `0x${negRisk ? '02' : '01'}${hexWords(key, 4)}${zeros}`
    : `0x${hexWords(key, 8)}`;
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

/** A token of Protocol V1: 256 random bits in decimal. */
function tokenId(key: number, purpose: number): string {
  return BigInt(`0x${hexWords(mix(key, 0x70c0 + purpose), 8)}`).toString();
}

/** The tokens of Protocol V2: 31 bytes of the condition id, then the outcome's number as a byte. */
function positionIds(condition: string): readonly [string, string] {
  return [BigInt(`${condition}00`).toString(), BigInt(`${condition}01`).toString()];
}
