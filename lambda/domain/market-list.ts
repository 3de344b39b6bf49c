import { LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import { type Market, type MarketRecord, type PriceChanges, publicMarket } from './market.ts';
import { optional } from './optional.ts';

/** The comma and the line feed between two markets, beside the quotes that a line is weighed with. */
const SEPARATOR_BYTES = 1;
const utf8 = new TextEncoder();

/** The default fields of a market at a place of the list: the first ones have the 7- and 30-day changes, too. */
export function defaultFields(record: MarketRecord, position: number): Market {
  const { currentProbability, oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange } = record;
  const isTop = position < LONG_CHANGE_MARKETS;
  const changes: PriceChanges = {
    oneDay: oneDayPriceChange ?? undefined,
    sevenDay: isTop ? sevenDayPriceChange : undefined,
    thirtyDay: isTop ? thirtyDayPriceChange : undefined,
  };
  return {
    ...publicMarket(record, currentProbability, changes),
    ...optional('outcome', outcomeOf(record)),
  };
}

/** What YES is called where that is not "Yes", so that nobody has to guess whose probability it is. */
export function outcomeOf({
  outcomes,
  clobTokenId,
}: Pick<MarketRecord, 'outcomes' | 'clobTokenId'>): string | undefined {
  const label = outcomes.find(({ tokenId }) => tokenId === clobTokenId)?.label;
  return label === undefined || label.trim().toLowerCase() === 'yes' ? undefined : label;
}

/**
 * Bytes of a line as Lambda hands a response on: the whole as a JSON string, so that quotes and non-ASCII letters weigh
 * more than one.
 */
export function weightOf(line: string): number {
  return utf8.encode(JSON.stringify(line)).length + SEPARATOR_BYTES;
}

/**
 * The markets of a snapshot as JSON, one text a market, so that a page or a search result is put together without
 * encoding a market twice.
 */
export class MarketList {
  readonly length: number;
  readonly #recordAt: (position: number) => MarketRecord;
  readonly #lineAt: (position: number) => string;
  readonly #lines: (string | undefined)[] = [];
  readonly #weights: (number | undefined)[] = [];

  private constructor(
    length: number,
    recordAt: (position: number) => MarketRecord,
    lineAt?: (position: number) => string,
  ) {
    this.length = length;
    this.#recordAt = recordAt;
    this.#lineAt = lineAt ?? ((position) => JSON.stringify(this.at(position)));
  }

  /**
   * @param recordAt the market at a position of the list
   * @param lineAt its default fields as JSON, for who knows them without encoding the market
   */
  static of(
    length: number,
    recordAt: (position: number) => MarketRecord,
    lineAt?: (position: number) => string,
  ): MarketList {
    return new MarketList(length, recordAt, lineAt);
  }

  /** JSON array of the markets at `start` up to, not including, `end`. */
  slice(start: number, end: number): string {
    const lines: string[] = [];
    for (let position = start; position < Math.min(end, this.length); position++)
      lines.push(this.line(position));
    return `[${lines.join(',\n')}]`;
  }

  /** JSON array of the markets at the given positions, in that order. */
  pick(positions: readonly number[]): string {
    return `[${positions.map((position) => this.line(position)).join(',')}]`;
  }

  /** The market at a position. */
  at(position: number): Market {
    return defaultFields(this.#recordAt(position), position);
  }

  /** Bytes of a market in a response, see `weightOf`. */
  weightAt(position: number): number {
    const known = this.#weights[position];
    if (known !== undefined) return known;
    const weight = weightOf(this.line(position));
    this.#weights[position] = weight;
    return weight;
  }

  /** The market at a position, encoded. */
  line(position: number): string {
    const known = this.#lines[position];
    if (known !== undefined) return known;
    const line = this.#lineAt(position);
    this.#lines[position] = line;
    return line;
  }
}
