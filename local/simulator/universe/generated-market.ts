/**
 * Makes the markets of the simulated events: their prices, trades and volumes. Nothing is stored:
 * each value is computed for the time of a request, from the market's seed.
 */
import type { SimulatedMarket } from '../market.ts';
import { type FairPrice, middle, type Quote, quoteAround } from '../prices.ts';
import { Draw, mix, unit } from '../random.ts';
import { amountsOf } from './amounts.ts';
import { DAY_MS, isoDate, MINUTE_MS } from './dates.ts';
import { resolutionOf } from './lifetime.ts';
import { idsOf } from './market-ids.ts';
import type { GeneratedEvent, MarketDraft } from './topics.ts';
import { ODDITIES, type Oddities, wireMarket } from './wire-market.ts';

/** What a market is made of. */
interface MarketParts {
  readonly id: string;
  readonly slug: string;
  readonly event: GeneratedEvent;
  /** The texts of the market. */
  readonly draft: MarketDraft;
  /** The market's number in its event, from 0. */
  readonly place: number;
  /** The start of the simulator in Unix ms, as all times here. Volumes are drawn for this time. */
  readonly now: number;
}

/** Keeps the sum of an exclusive event near 1, even if a last trade replaces the middle. */
const MAX_EXCLUSIVE_SPREAD = 0.03;

/** Makes a market of an event. All its data follows from the event's seed and its place there. */
export function generatedMarket(parts: MarketParts): SimulatedMarket {
  const { event, draft, place, now } = parts;
  const { endsAt, closesAt, createdAt, negRisk } = event;
  const key = mix(event.key, place + 0x10);
  const draw = new Draw(key, 'market');
  const odd = drawOddities(negRisk, draw);
  const fair = event.prices[place] ?? (() => 0.5);
  const startPrice = fair(createdAt);
  const units = unitsOf(startPrice, draw);
  const { volume, liquidity, spread } = amountsOf(popularityOf(event, startPrice, draw), draw);
  const spreadAt = spreadsUpTo(negRisk ? Math.min(spread, MAX_EXCLUSIVE_SPREAD) : spread);
  const isUntraded = draw.chance(untradedShare(spreadAt(startPrice), odd));
  const market = {
    ...idsOf(key, event, odd),
    id: parts.id,
    slug: parts.slug,
    liquidity: Number(liquidity.toFixed(5)),
    createdAt,
    endsAt,
    closesAt,
    negRisk,
    hasPrices: !odd.noOrderBook,
    units,
    key,
    volume: isUntraded ? () => 0 : volumeOver({ createdAt, endsAt, now, volume, draw }),
    ...tradingOf({ event, key, odd, units, isUntraded, fair, spreadAt }),
    resolution: (atMs: number) => resolutionOf(event, place, atMs),
  };
  const endDate = endDateOf(endsAt, odd, draw);
  return {
    ...market,
    wire: (atMs, tags) => wireMarket({ ...market, event, draft, odd, endDate }, atMs, tags),
  };
}

/** What decides the books and the trades of a market. */
interface Trading {
  readonly event: GeneratedEvent;
  /** The market's seed. */
  readonly key: number;
  readonly odd: Oddities;
  /** The ticks per dollar. */
  readonly units: number;
  readonly isUntraded: boolean;
  /** The price at each time, 0 to 1, around which bids and asks lie. */
  readonly fair: FairPrice;
  /** The spread at each price, both 0 to 1. */
  readonly spreadAt: (price: number) => number;
}

/** Between these shares of an event's last part, all its books have this spread (0 to 1). */
const WIDE_AT_END = { from: 0.55, until: 0.7, spread: 0.2 } as const;
/** The longest time between two trades. */
const MAX_TRADE_EVERY_MS = 10 * MINUTE_MS;
/** The least number of trades in the last part, while the price runs to the payout. */
const MIN_LAST_TRADES = 40;

/** The book, the price and the last trade of a market at each time. */
function tradingOf({ event, key, odd, units, isUntraded, fair, spreadAt }: Trading) {
  const { endsAt, runsFrom } = event;
  // Histories and trades follow this book, even while the visible one is empty or wide.
  const usualQuote = (atMs: number): Quote => {
    const price = fair(atMs);
    return quoteAround(price, units, Math.max(1, Math.round(spreadAt(price) * units)));
  };
  const tradeEveryMs = Math.min(MAX_TRADE_EVERY_MS, (endsAt - runsFrom) / MIN_LAST_TRADES);
  return {
    quote: (atMs: number): Quote => {
      const isEmpty = odd.emptyBook || odd.noOrderBook || atMs >= endsAt;
      if (isEmpty) return { bid: null, ask: null };
      if (!isWideTime(event, atMs)) return usualQuote(atMs);
      return quoteAround(fair(atMs), units, WIDE_AT_END.spread * units);
    },
    price: (atMs: number) => (odd.emptyBook ? 0.5 : middle(usualQuote(atMs), units)),
    lastTrade: (atMs: number): number | undefined => {
      if (isUntraded) return undefined;
      const trade = Math.floor(Math.min(atMs, endsAt - 1) / tradeEveryMs);
      const quoteThen = usualQuote(trade * tradeEveryMs);
      return tradePrice(quoteThen, units, mix(key, trade));
    },
  };
}

/** Above this spread (0 to 1), many markets have never been traded. */
const WIDE_SPREAD = 0.1;
const UNTRADED_SHARE = 0.01;
const WIDE_UNTRADED_SHARE = 0.3;

/** The chance that a market has never been traded. @param spread at its start, 0 to 1 */
function untradedShare(spread: number, odd: Oddities): number {
  return spread > WIDE_SPREAD || odd.emptyBook ? WIDE_UNTRADED_SHARE : UNTRADED_SHARE;
}

/** Whether every book of the event is wide at this time, shortly before its end. */
function isWideTime({ endsAt, runsFrom }: GeneratedEvent, atMs: number): boolean {
  const done = (atMs - runsFrom) / (endsAt - runsFrom);
  return done >= WIDE_AT_END.from && done < WIDE_AT_END.until;
}

/**
 * The oddities that markets of exclusive events can have. The others would break the sum of such an
 * event's prices.
 */
const ODDITIES_OF_EXCLUSIVE: readonly string[] = [
  'decoyPositions',
  'decoyTokens',
  'padded',
  'outerSpaces',
];

/** Draws what is unusual about a market, such as an empty book or no end date. */
function drawOddities(isExclusive: boolean, draw: Draw): Oddities {
  const odd: Record<string, boolean> = {};
  for (const [name, share] of Object.entries(ODDITIES)) {
    const isDrawn = draw.chance(share);
    odd[name] = isDrawn && (!isExclusive || ODDITIES_OF_EXCLUSIVE.includes(name));
  }
  return odd as Oddities;
}

/**
 * A spread is at most this many times the distance of the price from 0 or 1. With 2, one side would
 * reach 0 or 1.
 */
const MAX_SPREAD_OF_DISTANCE = 1.6;

/**
 * The spread at each price, 0 to 1. Near 0 and 1, a spread as wide as elsewhere would reach beyond
 * the range of prices.
 */
function spreadsUpTo(widest: number): (price: number) => number {
  return (price) => Math.min(widest, MAX_SPREAD_OF_DISTANCE * Math.min(price, 1 - price));
}

/**
 * The share of markets with less volume than a market. It follows from the topic, from the luck of
 * the event and of the market, and from the price: favourites are traded more.
 */
function popularityOf({ key, popularity }: GeneratedEvent, price: number, draw: Draw): number {
  const eventLuck = new Draw(key, 'luck').next();
  const marketLuck = draw.next();
  const sum = popularity + 0.4 * eventLuck + 0.2 * marketLuck + 0.35 * Math.sqrt(price);
  // Few markets have a larger sum.
  return Math.min(0.999, sum / 1.7);
}

/** The share of end dates that have a fraction of a second. */
const FRACTION_SHARE = 0.05;

/** The end date in Gamma's form; a fraction of a second has 1 to 9 digits. */
function endDateOf(endsAt: number, odd: Oddities, draw: Draw): string | undefined {
  if (odd.noEndDate || odd.noEndAtAll) return undefined;
  const date = isoDate(endsAt);
  if (!draw.chance(FRACTION_SHARE)) return date;
  return date.replace('Z', `.${'123456789'.slice(0, draw.whole(1, 9))}Z`);
}

/** What the volume of a market follows from. Times are Unix ms; `volume` is in USD. */
interface VolumeParts extends Readonly<Record<'createdAt' | 'endsAt' | 'now' | 'volume', number>> {
  readonly draw: Draw;
}

/** In USD. Below it, a market can have days without a trade. */
const MAX_QUIET_VOLUME = 5_000;
/** A market's volume grows at most by this factor from the simulator's start to its end. */
const MAX_GROWTH = 4;

/**
 * The volume at each time, which is about `volume` at the time `now`. It is a power of the share of
 * the life that is over, so it grows faster or slower towards the end. It grows in steps of a
 * minute; quiet markets rest for days.
 */
function volumeOver({ createdAt, endsAt, now, volume, draw }: VolumeParts) {
  const drawnPower = 2 ** draw.between(-1, 2);
  const stepMs = volume < MAX_QUIET_VOLUME && draw.chance(0.5) ? 3 * DAY_MS : MINUTE_MS;
  const volumeNow = volume * draw.between(0.9, 1.1);
  const lifeShare = (atMs: number): number => {
    const lived = Math.min(atMs, endsAt) - createdAt;
    return Math.max(0, Math.floor(lived / stepMs) * stepMs) / (endsAt - createdAt);
  };
  const shareNow = now < endsAt ? lifeShare(now) : 0;
  let power = drawnPower;
  // A market that has not begun or has ended has `volumeNow` at its end.
  let finalVolume = volumeNow;
  if (shareNow > 0) {
    // Without this limit, a market that has just begun would grow to billions.
    power = Math.min(drawnPower, Math.log(MAX_GROWTH) / -Math.log(shareNow));
    finalVolume = volumeNow / shareNow ** power;
  }
  return (atMs: number) => Number((finalVolume * lifeShare(atMs) ** power).toFixed(6));
}

/** The ticks per dollar: mostly 1,000, and at least 1,000 near a price of 0 or 1. */
function unitsOf(price: number, draw: Draw): number {
  const units = drawnUnits(draw);
  const isNearEnd = price < 0.04 || price > 0.96;
  return isNearEnd ? Math.max(1_000, units) : units;
}

/** Draws the ticks per dollar: 100 in a fifth of the markets, and rarely an unusual number. */
function drawnUnits(draw: Draw): number {
  if (draw.chance(0.2)) return 100;
  return draw.chance(0.05) ? draw.pick([400, 200, 10_000]) : 1_000;
}

/** The price of a trade, 0 to 1: somewhere between bid and ask, as the hash decides. */
function tradePrice({ bid, ask }: Quote, units: number, hash: number): number {
  // With one side, its price. Without any, a half.
  if (bid === null || ask === null) return (bid ?? ask ?? units / 2) / units;
  return (bid + Math.round((ask - bid) * unit(hash))) / units;
}
