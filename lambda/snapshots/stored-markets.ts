import {
  type MarketDetails,
  type MarketRecord,
  type Outcome,
  type PriceChanges,
  publicMarket,
} from '../domain/market.ts';
import { pricedOutcomes } from '../domain/market-details.ts';
import { outcomeOf } from '../domain/market-list.ts';
import { roundTo3 } from '../domain/numbers.ts';
import { optional } from '../domain/optional.ts';
import { longestRow } from '../domain/row-bound.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import {
  isMoving,
  MOVING_DETAILS,
  type MovingDetail,
  type NumberName,
  type Numbers,
  numbersOf,
} from './columns.ts';

/**
 * Markets as they are stored: what hardly changes as one JSON text a market, and the numbers as columns. Everything is
 * asked for by position, so that a table need not read what nobody wants. Tables are made of entries and turned into
 * entries again; nothing else knows how a market is divided.
 */
export interface StoredMarkets {
  readonly length: number;
  /** Bytes that no row of these markets is longer than, see `rowBound`. */
  readonly longestRow: number;
  /** What hardly changes, as JSON on one line. */
  text(position: number): string;
  /** The text, read once: the facts of a base are shared by all snapshots that are made of it. */
  facts(position: number): MarketFacts;
  /** Undefined where the market has none. */
  number(name: NumberName, position: number): number | undefined;
}

/** What is kept of a market's outcomes: their prices follow from the market's own, or are kept as they are. */
export interface MarketFacts extends Omit<MarketDetails, MovingDetail | 'outcomes'> {
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  readonly endDate: string;
  readonly clobTokenId: string;
  /** See `outcomeOf`: it stands in every response, and is worked out once. */
  readonly outcome?: string;
  readonly outcomes?: readonly Outcome[];
  readonly sides?: readonly Omit<Outcome, 'probability'>[];
}

export function tableOf(entries: readonly SnapshotEntry[]): StoredMarkets {
  const facts = entries.map(factsOf);
  return new HeldTable(facts.map(textOf), entries.map(numbersOf), facts);
}

/** A table whose texts and numbers are in memory. */
export class HeldTable implements StoredMarkets {
  readonly #texts: readonly string[];
  readonly #numbers: readonly Numbers[];
  readonly #facts: readonly MarketFacts[];
  #longestRow: number | undefined;

  /** All in list order. */
  constructor(
    texts: readonly string[],
    numbers: readonly Numbers[],
    facts: readonly MarketFacts[] = texts.map((text): MarketFacts => JSON.parse(text)),
  ) {
    this.#texts = texts;
    this.#numbers = numbers;
    this.#facts = facts;
  }

  get length(): number {
    return this.#texts.length;
  }

  get longestRow(): number {
    this.#longestRow ??= longestRow(this.#facts.map((_, position) => recordAt(this, position)));
    return this.#longestRow;
  }

  text(position: number): string {
    return at(this.#texts, position);
  }

  facts(position: number): MarketFacts {
    return at(this.#facts, position);
  }

  number(name: NumberName, position: number): number | undefined {
    return at(this.#numbers, position)[name];
  }
}

/** Some markets of a table, in the order of their positions. */
export function picked(table: StoredMarkets, positions: readonly number[]): StoredMarkets {
  return tableOf(positions.map((position) => entryAt(table, position)));
}

/** What hardly changes of a market: two markets that differ in what has a column only have the same facts. */
function factsOf({ market, facets }: SnapshotEntry): MarketFacts {
  const { id, question, slug, endDate, clobTokenId, currentProbability } = market;
  const { outcomes, ...details } = facets;
  const follow = pricedOutcomes(outcomes, clobTokenId, currentProbability);
  const priced =
    outcomes.length === 2 && outcomes.every(({ probability }, n) => probability === follow[n]?.probability);
  const bare = outcomes.map(({ label, tokenId }) => ({ label, tokenId }));
  return {
    id,
    question,
    ...optional('slug', slug),
    endDate,
    clobTokenId,
    ...optional('outcome', outcomeOf({ outcomes, clobTokenId })),
    ...stillDetails(details),
    ...(priced ? { sides: bare } : { outcomes }),
  };
}

type StillDetails = Omit<MarketDetails, MovingDetail | 'outcomes'>;

function stillDetails(details: Omit<MarketDetails, 'outcomes'>): StillDetails {
  return Object.fromEntries(
    Object.entries(details).filter(([name]) => !isMoving(name)),
  ) as unknown as StillDetails;
}

/** Parts the texts of a default line from each other and from all the rest; white space to whoever reads the whole. */
export const LINE_BREAK = '\t';

/** The facts as one line of JSON in which the parts of a default line can be found without reading it (`lineAt`). */
function textOf({ id, question, slug, endDate, clobTokenId, outcome, ...rest }: MarketFacts): string {
  const parts = [{ id, question, slug }, { endDate, clobTokenId, outcome }, rest];
  return `{${parts.map((part) => JSON.stringify(part).slice(1, -1)).join(`,${LINE_BREAK}`)}}`;
}

/** The prices of a market, percent and percentage points. */
export interface MarketPrices {
  readonly currentProbability: number;
  readonly changes: PriceChanges;
  /** Share, 0..1. */
  readonly midpoint: number | undefined;
}

/** @throws Error when the market has no price */
export function pricesAt(table: StoredMarkets, position: number): MarketPrices {
  const currentProbability = required(table.number('currentProbability', position));
  const shift = table.number('midpointShift', position);
  const now = currentProbability + (shift ?? 0);
  const change = (name: NumberName) => {
    const baseline = table.number(name, position);
    return baseline === undefined ? undefined : roundTo3(now - baseline);
  };
  return {
    currentProbability,
    changes: {
      oneDay: change('oneDayBaseline'),
      sevenDay: change('sevenDayBaseline'),
      thirtyDay: change('thirtyDayBaseline'),
    },
    midpoint: shift === undefined ? undefined : fromPercent(now),
  };
}

/** The market at a position. @throws Error when its text or numbers are not those of a market. */
export function entryAt(table: StoredMarkets, position: number): SnapshotEntry {
  const facts = table.facts(position);
  const { id, question, slug, endDate, clobTokenId, outcome: _, outcomes, sides, ...details } = facts;
  const number = (name: NumberName) => table.number(name, position);
  const { currentProbability, changes, midpoint } = pricesAt(table, position);
  const volume = required(number('volume'));
  const liquidity = required(number('liquidity'));
  const listed = { id, question, ...optional('slug', slug), volume, liquidity, endDate, clobTokenId };
  return {
    market: publicMarket(listed, currentProbability, changes),
    facets: {
      ...movingAt(table, position),
      ...details,
      outcomes: outcomes ?? pricedOutcomes(sides ?? [], clobTokenId, currentProbability),
    },
    ...optional('midpoint', midpoint),
  };
}

function movingAt(table: StoredMarkets, position: number): { -readonly [Name in MovingDetail]?: number } {
  const moving: { -readonly [Name in MovingDetail]?: number } = {};
  for (const name of MOVING_DETAILS) {
    const value = table.number(name, position);
    if (value !== undefined) moving[name] = value;
  }
  return moving;
}

export function recordAt(table: StoredMarkets, position: number): MarketRecord {
  const { market, facets } = entryAt(table, position);
  return { ...market, ...facets };
}

/** @throws RangeError */
export function at<T>(values: ArrayLike<T>, position: number): T {
  const value = values[position];
  if (value === undefined) throw new RangeError(`There is no market at ${position}`);
  return value;
}

export function required(value: number | undefined): number {
  if (value === undefined) throw new Error('A market lacks a number that every market has');
  return value;
}

/** Percent of at most three decimals as a share, without binary noise. */
function fromPercent(percent: number): number {
  return Number((percent / 100).toFixed(5));
}
