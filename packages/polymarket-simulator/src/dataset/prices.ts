import { noise } from './hash.ts';

/** Which sides of a book have orders: upstream has one-sided and empty books among its open markets. */
export type Sides = 'both' | 'asks-only' | 'bids-only' | 'none';

/** Everything the price of outcome 0 depends on, next to the time. */
export interface PriceModel {
  readonly key: number;
  /** Log-odds that the price wanders around. */
  readonly base: number;
  /** Scale of the wandering, in log-odds. */
  readonly volatility: number;
  /** Ticks in one dollar: 100 or 1,000. */
  readonly units: number;
  readonly spreadTicks: number;
  readonly sides: Sides;
}

/** Best bid and ask in whole ticks; null is an empty side. */
export interface Quote {
  readonly bid: number | null;
  readonly ask: number | null;
}

// Bound once, as in hash.ts.
const { exp, round, min: least, max: most } = Math;

const HOUR_MS = 3_600_000;
/** [period in hours, weight]: from drifts over months to flickers within the hour. */
const WAVES: readonly (readonly [number, number])[] = [
  [24 * 45, 1],
  [24 * 12, 0.7],
  [24 * 3, 0.4],
  [18, 0.25],
  [3, 0.1],
  [0.4, 0.04],
];

/** How far the log-odds are from their base at a moment. */
export function wandering(key: number, volatility: number, atMs: number): number {
  const hours = atMs / HOUR_MS;
  let sum = 0;
  for (let i = 0; i < WAVES.length; i++) {
    const [period, weight] = WAVES[i] ?? [1, 0];
    sum += volatility * weight * noise(key + i, hours / period);
  }
  return sum;
}

/** The best bid and ask of outcome 0 at a moment: a function of the model and the time alone. */
export function quoteAt(model: PriceModel, atMs: number): Quote {
  const { units, spreadTicks, sides } = model;
  const fair = units / (1 + exp(-model.base - wandering(model.key, model.volatility, atMs)));
  switch (sides) {
    case 'none':
      return { bid: null, ask: null };
    case 'asks-only':
      return { bid: null, ask: clamp(round(fair), 1, units - 1) };
    case 'bids-only':
      return { bid: clamp(round(fair), 1, units - 1), ask: null };
    case 'both': {
      const bid = clamp(round(fair - spreadTicks / 2), 1, units - 1 - spreadTicks);
      return { bid, ask: bid + spreadTicks };
    }
  }
}

/** The quote of the other outcome: someone who bids 0.30 for YES offers NO at 0.70. */
export function mirrored(quote: Quote, units: number): Quote {
  return {
    bid: quote.ask === null ? null : units - quote.ask,
    ask: quote.bid === null ? null : units - quote.bid,
  };
}

/** The middle of a quote, 0..1; an empty side counts as 0 or 1, as in Gamma's `outcomePrices`. */
export function middle(quote: Quote, units: number): number {
  return ((quote.bid ?? 0) + (quote.ask ?? units)) / (2 * units);
}

export function clamp(value: number, min: number, max: number): number {
  return least(most(value, min), max);
}
