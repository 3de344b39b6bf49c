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

/** Some of them cannot be read, so at least 3,200 can. */
const PAST_MARKETS = 3_700;
/** Older rounds follow until there are enough markets. */
const ROUNDS = 36;
const ROUND_DAYS = 30;
/** Shortest and longest life in days; one event in this many lives for three years. */
const LIFE_DAYS = [3, 300] as const;
const [LONG_EVERY, LONG_DAYS] = [60, 1_095] as const;
/** The price moves once in a bucket of the Data API, so it tells nothing about a later one. */
const STEP_MS = 3 * HOUR_MS;
/** The end's share of the variance. Without it, most results would be known a day before. */
const LAST_SHARE = 0.3;
const SPLIT_SHARE = 0.02;
const PAUSE_MS = 10 * MINUTE_MS;
/** Prices of events with this tag are so much closer to 50 %, as a share: not calibrated. */
export const MISCALIBRATED = { tag: 'crypto', bias: 0.4 } as const;

/** Events of each topic, one a month, that closed before the start. The same seed and start give the
 * same events. */
export function pastEvents(seed: number, now: number): PastEvent[] {
  const events = new Map<string, PastEvent>();
  let count = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const today = Math.floor(now / DAY_MS - round * ROUND_DAYS) * DAY_MS;
    for (const [number, topic] of TOPICS.entries()) {
      if (topic.ends.everyMinutes !== undefined || count >= PAST_MARKETS) continue;
      const key = mix(mix(~seed, number + 1), round);
      // Another subject or pair in each round; a higher number would be a later month.
      const n = topic.pair ? round : round % numbersOf(topic, 0).length;
      const draft = eventOf(topic, n, today, new Draw(key, 'topic'));
      const name = `${draft?.title} ${draft?.endsAt}`;
      if (!draft || draft.endsAt > now - DAY_MS || events.has(name)) continue;
      events.set(name, pastEvent(draft, key));
      count += draft.markets.length;
    }
  }
  return [...events.values()];
}

/**
 * Prices are chances of their payouts: each market pays 1 if a random walk of variance 1 ends in
 * its interval. Markets of an event share the walk, unless they are separate.
 */
function pastEvent(draft: EventDraft, key: number): PastEvent {
  const { endsAt, kind, markets, tags } = draft;
  const draw = new Draw(key, 'past');
  const days = key % LONG_EVERY === 0 ? LONG_DAYS : LIFE_DAYS[0] * 100 ** draw.next();
  const createdAt = endsAt - Math.round(days * DAY_MS);
  const bias = tags.includes(MISCALIBRATED.tag) ? MISCALIBRATED.bias : 0;
  const bounds = boundsOf(draft, draw);
  const shared = walkOf(key, createdAt, endsAt);
  const walks = markets.map((_, n) =>
    kind === 'separate' ? walkOf(mix(key, n + 1), createdAt, endsAt) : shared,
  );
  const priceAt = (n: number, atMs: number): number => {
    const [position, varianceLeft] = (walks[n] ?? shared)(atMs);
    const [low, high] = (bounds[n] ?? [0, 0]).map((bound) =>
      varianceLeft === 0
        ? Number(position > bound)
        : cumulative((position - bound) / Math.sqrt(varianceLeft)),
    ) as [number, number];
    return low - high;
  };
  const prices = markets.map(
    (_, n): FairPrice =>
      (atMs) =>
        0.5 + (1 - bias) * (priceAt(n, Math.min(atMs, endsAt - 1)) - 0.5),
  );
  const payouts = markets.map((_, n) =>
    kind === 'separate' && draw.chance(SPLIT_SHARE) ? 0.5 : priceAt(n, endsAt),
  );
  const closesAt = endsAt + PAUSE_MS;
  const resolvedAt = closesAt + 3 * PAUSE_MS;
  const runsFrom = endsAt - STEP_MS;
  return { ...draft, key, createdAt, prices, payouts, runsFrom, closesAt, resolvedAt };
}

/** By market: its interval. Exclusive ones divide the whole line, the others begin somewhere. */
function boundsOf({ kind, markets }: EventDraft, draw: Draw): (readonly [number, number])[] {
  const [above, below] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  if (kind === 'exclusive') {
    const shares = rankedShares(markets, draw);
    const ends = shares.map((_, n) => quantile(sumOf(shares.slice(0, n + 1))));
    return ends.map((end, n) => [ends[n - 1] ?? below, n === ends.length - 1 ? above : end]);
  }
  const first = draw.between(0.15, 0.85);
  return markets.map(({ chance = first }, n) => [
    -quantile(chance) + (kind === 'ladder' ? 0.4 * n : 0),
    above,
  ]);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** The position at a time, and the variance that remains until the end. */
function walkOf(key: number, createdAt: number, endsAt: number) {
  const firstStep = Math.floor(createdAt / STEP_MS);
  const steps = Math.floor(endsAt / STEP_MS) - firstStep;
  const variance = (1 - LAST_SHARE) / Math.max(1, steps);
  let positions: Float64Array | undefined;
  const walked = (): Float64Array => {
    const draw = new Draw(key, 'walk');
    const found = new Float64Array(steps + 2);
    for (let n = 1; n <= steps; n++)
      found[n] = (found[n - 1] ?? 0) + Math.sqrt(variance) * normal(draw);
    found[steps + 1] = (found[steps] ?? 0) + Math.sqrt(LAST_SHARE) * normal(draw);
    return found;
  };
  return (atMs: number): readonly [position: number, varianceLeft: number] => {
    positions ??= walked();
    if (atMs >= endsAt) return [positions[steps + 1] ?? 0, 0];
    const step = Math.min(steps, Math.max(0, Math.floor(atMs / STEP_MS) - firstStep));
    return [positions[step] ?? 0, LAST_SHARE + variance * (steps - step)];
  };
}
