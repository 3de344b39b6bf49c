import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, OptionError } from '../options.ts';
import type { Point, RecordedBook, RecordedHistory, WireMarket } from '../source.ts';

/** Recorded responses as read from their folder; see its README for what each file is. */
export interface Recordings {
  readonly folder: string;
  /** The catalogue. */
  readonly markets: readonly WireMarket[];
  /** A market that is not in the catalogue but has the recorded two-sided book. */
  readonly envelopeMarket: WireMarket;
  readonly books: readonly { readonly book: RecordedBook; readonly histories: readonly RecordedHistory[] }[];
}

/** The `interval-*` files, from the shortest span to the longest, with their fidelity in minutes. */
const INTERVAL_FILES: readonly (readonly [file: string, fidelity: number])[] = [
  ['interval-1h.json', 1],
  ['interval-1d.json', 1],
  ['interval-1w-f5.json', 5],
  ['interval-1m-f10.json', 10],
];

/** Reads a folder of recordings. @throws OptionError naming the file that is missing or is not what it should be */
export function loadRecordings(folder: string): Recordings {
  const read = (file: string, ...parts: readonly string[]) => readJson(join(folder, ...parts, file));
  const markets = read('gamma-markets.json');
  if (!isMarkets(markets)) throw unfit(join(folder, 'gamma-markets.json'), 'a JSON array of markets');
  const envelope = read('markets-keyset-limit-1.json', 'envelopes');
  const [envelopeMarket] = isObject(envelope) && isMarkets(envelope.markets) ? envelope.markets : [];
  if (envelopeMarket === undefined) {
    throw unfit(join(folder, 'envelopes', 'markets-keyset-limit-1.json'), 'a response with a market');
  }
  const history = (file: string, fidelity: number): RecordedHistory => {
    const value = read(file, 'prices-history');
    if (isObject(value) && isPoints(value.history)) return { points: value.history, fidelity };
    throw unfit(join(folder, 'prices-history', file), 'a price history');
  };
  const book = (file: string): RecordedBook => {
    const value = read(file, 'books');
    if (isBook(value)) return value;
    throw unfit(join(folder, 'books', file), 'an order book');
  };
  return {
    folder,
    markets,
    envelopeMarket,
    // The histories carry no token. They belong to neither book in truth; together they make two tokens recorded throughout.
    books: [
      {
        book: book('two-sided.json'),
        histories: INTERVAL_FILES.map(([file, fidelity]) => history(file, fidelity)),
      },
      { book: book('one-sided.json'), histories: [history('four-points.json', 0)] },
    ],
  };
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    const reason =
      code === 'ENOENT' || code === 'ENOTDIR' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new OptionError(`The recordings need ${path}, but ${reason}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unfit(path, 'JSON');
  }
}

function unfit(path: string, expected: string): OptionError {
  return new OptionError(`The recordings need ${path}, but it does not hold ${expected}.`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMarkets(value: unknown): value is readonly WireMarket[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function isPoints(value: unknown): value is readonly Point[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((point) => isObject(point) && typeof point.t === 'number' && typeof point.p === 'number')
  );
}

function isBook(value: unknown): value is RecordedBook {
  if (!isObject(value) || typeof value.asset_id !== 'string') return false;
  return [value.bids, value.asks].every(
    (side) =>
      Array.isArray(side) &&
      side.every(
        (level) => isObject(level) && typeof level.price === 'string' && typeof level.size === 'string',
      ),
  );
}
