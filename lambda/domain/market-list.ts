import { LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import type { Market, MarketRecord } from './market.ts';
import { optional } from './optional.ts';

/** UTF-8 takes at most three bytes for a UTF-16 unit; a quote or backslash takes two once escaped. */
const MAX_BYTES_PER_CHARACTER = 3;
/** The comma and the line feed between two markets, beside the quotes that a line is weighed with. */
const SEPARATOR_BYTES = 1;
const utf8 = new TextEncoder();

/** The default fields of a market at a place of the list: the first ones have the 7- and 30-day changes, too. */
export function defaultFields(record: MarketRecord, position: number): Market {
  const { id, question, slug, currentProbability, volume, liquidity, endDate, clobTokenId } = record;
  const { oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange } = record;
  const isTop = position < LONG_CHANGE_MARKETS;
  return {
    id,
    question,
    ...optional('slug', slug),
    currentProbability,
    volume,
    liquidity,
    oneDayPriceChange,
    ...optional('sevenDayPriceChange', isTop ? sevenDayPriceChange : undefined),
    ...optional('thirtyDayPriceChange', isTop ? thirtyDayPriceChange : undefined),
    endDate,
    clobTokenId,
  };
}

/**
 * The markets of a snapshot as JSON, one text a market, so that a page or a search result is put together without
 * encoding a market twice.
 */
export class MarketList {
  readonly length: number;
  readonly #recordAt: (position: number) => MarketRecord;
  readonly #lines: (string | undefined)[] = [];

  private constructor(length: number, recordAt: (position: number) => MarketRecord) {
    this.length = length;
    this.#recordAt = recordAt;
  }

  /** @param recordAt the market at a position of the list */
  static of(length: number, recordAt: (position: number) => MarketRecord): MarketList {
    return new MarketList(length, recordAt);
  }

  /** JSON array of the markets at `start` up to, not including, `end`. */
  slice(start: number, end: number): string {
    const lines: string[] = [];
    for (let position = start; position < Math.min(end, this.length); position++)
      lines.push(this.#line(position));
    return `[${lines.join(',\n')}]`;
  }

  /** JSON array of the markets at the given positions, in that order. */
  pick(positions: readonly number[]): string {
    return `[${positions.map((position) => this.#line(position)).join(',')}]`;
  }

  /** The market at a position. */
  at(position: number): Market {
    return defaultFields(this.#recordAt(position), position);
  }

  /**
   * How many markets from `start` on, `limit` at most, fit into a response of `maxBytes`, at least 1. What counts is the
   * response as Lambda hands it on: the JSON array as a JSON string, so that quotes and non-ASCII letters weigh more
   * than one.
   */
  fitting(start: number, maxBytes: number, limit: number): number {
    const end = Math.min(start + limit, this.length);
    let characters = 0;
    for (let position = start; position < end; position++) characters += this.#line(position).length + 1;
    if (characters * MAX_BYTES_PER_CHARACTER <= maxBytes) return Math.max(1, end - start);
    let bytes = 0;
    for (let position = start; position < end; position++) {
      bytes += utf8.encode(JSON.stringify(this.#line(position))).length + SEPARATOR_BYTES;
      if (bytes > maxBytes) return Math.max(1, position - start);
    }
    return Math.max(1, end - start);
  }

  #line(position: number): string {
    const known = this.#lines[position];
    if (known !== undefined) return known;
    const line = JSON.stringify(this.at(position));
    this.#lines[position] = line;
    return line;
  }
}
