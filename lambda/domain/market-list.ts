import type { Market, MarketDetails } from './market.ts';
import type { SnapshotEntry } from './snapshot.ts';

const SEPARATOR = ',\n';
/** UTF-8 takes at most three bytes for a UTF-16 unit; a quote or backslash takes two once escaped. */
const MAX_BYTES_PER_CHARACTER = 3;
const utf8 = new TextEncoder();

/**
 * The markets of a snapshot as already encoded JSON, one a line, so that a page or a search result is cut out of
 * it without encoding a market again. JSON escapes line feeds, hence one inside a line cannot occur.
 */
export class MarketList {
  readonly length: number;
  private readonly text: string;
  private readonly starts: readonly number[];
  private bytesBefore: Float64Array | undefined;

  private constructor(text: string, starts: readonly number[]) {
    this.text = text;
    this.starts = starts;
    this.length = starts.length;
  }

  static encode(entries: readonly SnapshotEntry[]): string {
    return entries.map((entry) => JSON.stringify(entry.market)).join(SEPARATOR);
  }

  /** @throws RangeError when the text does not hold `length` lines */
  static decode(text: string, length: number): MarketList {
    const starts: number[] = [];
    for (let at = 0; starts.length < length; ) {
      starts.push(at);
      const next = text.indexOf('\n', at);
      if (next === -1) break;
      at = next + 1;
    }
    if (starts.length !== length) throw new RangeError(`Expected ${length} markets, found ${starts.length}`);
    return new MarketList(text, starts);
  }

  /** JSON array of the markets at `start` up to, not including, `end`. */
  slice(start: number, end: number): string {
    if (start >= end) return '[]';
    return `[${this.text.slice(this.startOf(start), this.endOf(end - 1))}]`;
  }

  /** JSON array of the markets at the given positions, in that order. */
  pick(positions: readonly number[]): string {
    const lines = positions.map((position) => this.text.slice(this.startOf(position), this.endOf(position)));
    return `[${lines.join(',')}]`;
  }

  /** The market at a position, decoded. */
  at(position: number): Market {
    return JSON.parse(this.text.slice(this.startOf(position), this.endOf(position)));
  }

  /**
   * How many markets from `start` on fit into an answer of `maxBytes`, at least 1. What counts is the answer as
   * Lambda hands it on: the JSON array as a JSON string, so that quotes and non-ASCII letters weigh more than one.
   */
  fitting(start: number, maxBytes: number): number {
    if ((this.text.length - this.startOf(start)) * MAX_BYTES_PER_CHARACTER <= maxBytes) return this.length;
    this.bytesBefore ??= this.weigh();
    const limit = (this.bytesBefore[start] ?? 0) + maxBytes;
    let low = start + 1;
    let high = this.length;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.bytesBefore[middle] ?? 0) <= limit) low = middle;
      else high = middle - 1;
    }
    return low - start;
  }

  private weigh(): Float64Array {
    const before = new Float64Array(this.length + 1);
    for (let position = 0; position < this.length; position++) {
      const line = this.text.slice(this.startOf(position), this.endOf(position));
      before[position + 1] = (before[position] ?? 0) + utf8.encode(JSON.stringify(line)).length;
    }
    return before;
  }

  private startOf(position: number): number {
    return this.starts[position] ?? this.text.length;
  }

  private endOf(position: number): number {
    const next = this.starts[position + 1];
    return next === undefined ? this.text.length : next - SEPARATOR.length;
  }
}

export function encodeFacets(entries: readonly SnapshotEntry[]): string {
  return entries.map((entry) => JSON.stringify(entry.facets)).join('\n');
}

export function decodeFacets(text: string): MarketDetails[] {
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
}
