/**
 * The past of the simulated Polymarket: markets that were resolved before it starts, with the
 * prices of their lives. `npm run archive -- --past` reads them. Prices are true chances, except
 * where `MISCALIBRATED` says so, so an analysis of the archive has a known answer.
 */
import { cumulative, type FairPrice, normal, quantile } from '../prices.ts';
import { Draw, mix } from '../random.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './dates.ts';
import { rankedShares } from './lifetime.ts';
import { type EventDraft, type EventEnd, eventOf, numbersOf, TOPICS } from './topics.ts';

/** An event that closed before the simulator's start. */
export interface PastEvent extends EventDraft, EventEnd {
  readonly key: number;
  readonly createdAt: number;
}

/** A market pays 1 if its random walk (see `pastEvent`) ends in this interval. */
interface Interval {
  readonly low: number;
  readonly high: number;
}

/** About as many markets are generated. The service can read at least 3,200 of them. */
const MAX_PAST_MARKETS = 3_700;
/** Each round has one event of each topic, and lies this long before the next newer one. */
const ROUND_DAYS = 30;
/** More rounds than `MAX_PAST_MARKETS` needs. */
const MAX_ROUNDS = 36;

/**
 * The events that closed at least a day before the start. The same seed and start give the same
 * events.
 */
export function pastEvents(seed: number, now: number): PastEvent[] {
  const events = new Map<string, PastEvent>();
  let marketCount = 0;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const today = Math.floor(now / DAY_MS - round * ROUND_DAYS) * DAY_MS;
    for (const [topicNumber, topic] of TOPICS.entries()) {
      const isLive = topic.ends.everyMinutes !== undefined;
      if (isLive || marketCount >= MAX_PAST_MARKETS) continue;
      const key = mix(mix(~seed, topicNumber + 1), round);
      // One event of each subject ends in a slot.
      const subjectCount = numbersOf(topic, 0).length;
      // Each round has another subject or pair. A higher number would be a later month.
      const eventNumber = topic.pair ? round : round % subjectCount;
      const draft = eventOf(topic, eventNumber, today, new Draw(key, 'topic'));
      const name = `${draft?.title} ${draft?.endsAt}`;
      if (!draft || draft.endsAt > now - DAY_MS || events.has(name)) continue;
      events.set(name, pastEvent(draft, key));
      marketCount += draft.markets.length;
    }
  }
  return [...events.values()];
}

/** Share of the separate markets that pay half to each outcome. */
const SPLIT_SHARE = 0.02;
/** A market closes this long after trading ends, and is resolved this long after it closed. */
const CLOSES_AFTER_MS = 10 * MINUTE_MS;
const RESOLVES_AFTER_MS = 30 * MINUTE_MS;
/** Prices of events with this tag are 40 % closer to 50 % than the chances are. */
export const MISCALIBRATED = { tag: 'crypto', bias: 0.4 } as const;

/**
 * Adds a life, prices and payouts to a draft. A market pays 1 if a random walk of variance 1 ends
 * in the market's interval. Its price is the chance of that, so a price of 0.3 comes true in 30 %
 * of the cases. The markets of an event share one walk, except `separate` markets.
 */
function pastEvent(draft: EventDraft, key: number): PastEvent {
  const { endsAt, kind, markets, tags } = draft;
  const draw = new Draw(key, 'past');
  const createdAt = endsAt - Math.round(lifeDays(key, draw) * DAY_MS);
  const sharedWalk = new Walk(key, createdAt, endsAt);
  const bias = tags.includes(MISCALIBRATED.tag) ? MISCALIBRATED.bias : 0;
  const prices: FairPrice[] = [];
  const payouts: number[] = [];
  for (const [place, interval] of intervalsOf(kind, markets, draw).entries()) {
    const isSeparate = kind === 'separate';
    const walk = isSeparate ? new Walk(mix(key, place + 1), createdAt, endsAt) : sharedWalk;
    prices.push((atMs) => {
      const chance = walk.chanceToEndIn(interval, Math.min(atMs, endsAt - 1));
      return 0.5 + (1 - bias) * (chance - 0.5);
    });
    const isSplit = isSeparate && draw.chance(SPLIT_SHARE);
    payouts.push(isSplit ? 0.5 : walk.chanceToEndIn(interval, endsAt));
  }
  const runsFrom = endsAt - STEP_MS;
  const closesAt = endsAt + CLOSES_AFTER_MS;
  const resolvedAt = closesAt + RESOLVES_AFTER_MS;
  return { ...draft, key, createdAt, prices, payouts, runsFrom, closesAt, resolvedAt };
}

const MIN_LIFE_DAYS = 3;
const MAX_LIFE_DAYS = 300;
/** One event in `LONG_LIFE_EVERY` lives for three years. */
const LONG_LIFE_EVERY = 60;
const LONG_LIFE_DAYS = 1_095;

/** The length of an event's life. Three to 30 days are as frequent as 30 to 300. */
function lifeDays(key: number, draw: Draw): number {
  if (key % LONG_LIFE_EVERY === 0) return LONG_LIFE_DAYS;
  return MIN_LIFE_DAYS * (MAX_LIFE_DAYS / MIN_LIFE_DAYS) ** draw.next();
}

/** The distance of two bounds of a ladder, for example "above 100" and "above 110". */
const LADDER_STEP = 0.4;

/**
 * The interval of each market. Exclusive markets divide the whole line. All other intervals have a
 * lower bound only, and each step of a ladder has a higher one.
 */
function intervalsOf(
  kind: EventDraft['kind'],
  markets: EventDraft['markets'],
  draw: Draw,
): Interval[] {
  if (kind === 'exclusive') {
    const shares = rankedShares(markets, draw);
    const highs = shares.map((_, place) => quantile(sumOf(shares.slice(0, place + 1))));
    return highs.map((high, place) => ({
      low: highs[place - 1] ?? Number.NEGATIVE_INFINITY,
      high: place === highs.length - 1 ? Number.POSITIVE_INFINITY : high,
    }));
  }
  const defaultChance = draw.between(0.15, 0.85);
  return markets.map(({ chance = defaultChance }, place) => {
    // The walk ends above `-quantile(chance)` with this chance.
    const step = kind === 'ladder' ? LADDER_STEP * place : 0;
    return { low: -quantile(chance) + step, high: Number.POSITIVE_INFINITY };
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** A bucket of the Data API. The price moves once in each, so it does not predict the next one. */
const STEP_MS = 3 * HOUR_MS;
/**
 * The last move's share of the variance. If all moves were equal, a reader of the prices could
 * predict most results a day before the end.
 */
const LAST_MOVE_SHARE = 0.3;

/** A random walk from 0 with the variance 1. It moves once per step, and a last time at the end. */
class Walk {
  readonly #key: number;
  readonly #endsAt: number;
  readonly #firstStep: number;
  readonly #stepCount: number;
  readonly #stepVariance: number;
  #positions: Float64Array | undefined;

  constructor(key: number, createdAt: number, endsAt: number) {
    this.#key = key;
    this.#endsAt = endsAt;
    this.#firstStep = Math.floor(createdAt / STEP_MS);
    this.#stepCount = Math.floor(endsAt / STEP_MS) - this.#firstStep;
    this.#stepVariance = (1 - LAST_MOVE_SHARE) / Math.max(1, this.#stepCount);
  }

  /** The chance, as it is at a time, that the walk ends in an interval. From the end on, 0 or 1. */
  chanceToEndIn({ low, high }: Interval, atMs: number): number {
    return this.#chanceToEndAbove(low, atMs) - this.#chanceToEndAbove(high, atMs);
  }

  #chanceToEndAbove(bound: number, atMs: number): number {
    // Drawn at the first use, because a universe has thousands of walks and few are read.
    this.#positions ??= this.#drawPositions();
    if (atMs >= this.#endsAt) return Number((this.#positions[this.#stepCount + 1] ?? 0) > bound);
    const step = Math.floor(atMs / STEP_MS) - this.#firstStep;
    const reached = Math.min(this.#stepCount, Math.max(0, step));
    const position = this.#positions[reached] ?? 0;
    const varianceLeft = LAST_MOVE_SHARE + this.#stepVariance * (this.#stepCount - reached);
    return cumulative((position - bound) / Math.sqrt(varianceLeft));
  }

  /** The positions after each step, from 0 steps on, and after the last move. */
  #drawPositions(): Float64Array {
    const draw = new Draw(this.#key, 'walk');
    const positions = new Float64Array(this.#stepCount + 2);
    for (let step = 1; step <= this.#stepCount; step++) {
      const move = Math.sqrt(this.#stepVariance) * normal(draw);
      positions[step] = (positions[step - 1] ?? 0) + move;
    }
    const lastMove = Math.sqrt(LAST_MOVE_SHARE) * normal(draw);
    positions[this.#stepCount + 1] = (positions[this.#stepCount] ?? 0) + lastMove;
    return positions;
  }
}
