import type { MarketDetails, Outcome } from '../domain/market.ts';
import { pricedOutcomes } from '../domain/market-details.ts';
import { roundTo3 } from '../domain/numbers.ts';
import { optional } from '../domain/optional.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { COLUMNS, type Column, type ColumnName, numbersOf, readColumn, writeColumn } from './columns.ts';

/**
 * Markets as they are stored: what hardly changes as one JSON text a market, and the numbers as columns. Tables are made
 * of entries and turned into entries again; nothing else knows how a market is divided.
 */
export interface MarketTable {
  readonly texts: readonly string[];
  /** The texts, read: those of a base are shared by all snapshots that are made of it. */
  readonly facts: readonly MarketFacts[];
  readonly columns: Readonly<Record<ColumnName, Column>>;
}

/** What is kept of a market's outcomes: their prices follow from the market's own, or are kept as they are. */
export interface MarketFacts extends Omit<MarketDetails, 'outcomes'> {
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  readonly endDate: string;
  readonly clobTokenId: string;
  readonly outcomes?: readonly Outcome[];
  readonly sides?: readonly Omit<Outcome, 'probability'>[];
}

export function tableOf(entries: readonly SnapshotEntry[]): MarketTable {
  const numbers = entries.map(numbersOf);
  const facts = entries.map(factsOf);
  return {
    texts: facts.map((one) => JSON.stringify(one)),
    facts,
    columns: columnsFrom((name) => numbers.map((row) => row[name])),
  };
}

export function emptyTable(): MarketTable {
  return { texts: [], facts: [], columns: columnsFrom(() => []) };
}

export function columnsFrom(column: (name: ColumnName) => Column): MarketTable['columns'] {
  return Object.fromEntries(COLUMNS.map(([name]) => [name, column(name)])) as MarketTable['columns'];
}

/** What hardly changes of a market: two markets that differ in their numbers only have the same facts. */
function factsOf({ market, facets }: SnapshotEntry): MarketFacts {
  const { id, question, slug, endDate, clobTokenId, currentProbability } = market;
  const { volume24h, bestBid, bestAsk, spread, lastTradePrice, outcomes, ...details } = facets;
  const follow = pricedOutcomes(outcomes, clobTokenId, currentProbability);
  const priced = outcomes.every(
    ({ probability }, n) => probability !== undefined && probability === follow[n]?.probability,
  );
  const bare = outcomes.map(({ label, tokenId }) => ({ label, tokenId }));
  const facts: MarketFacts = {
    id,
    question,
    ...(slug === undefined ? {} : { slug }),
    endDate,
    clobTokenId,
    ...details,
    ...(priced && outcomes.length === 2 ? { sides: bare } : { outcomes }),
  };
  return facts;
}

/** The market at a position. @throws Error when its text or numbers are not those of a market. */
export function entryAt({ facts, columns }: MarketTable, position: number): SnapshotEntry {
  const known = facts[position];
  if (known === undefined) throw new RangeError(`There is no market at ${position}`);
  const { id, question, slug, endDate, clobTokenId, outcomes, sides, ...details } = known;
  const at = (name: ColumnName) => columns[name][position];
  const currentProbability = required(at('currentProbability'));
  const shift = at('midpointShift');
  const now = currentProbability + (shift ?? 0);
  const change = (name: ColumnName) => {
    const baseline = at(name);
    return baseline === undefined ? undefined : roundTo3(now - baseline);
  };
  return {
    market: {
      id,
      question,
      ...optional('slug', slug),
      currentProbability,
      volume: required(at('volume')),
      liquidity: required(at('liquidity')),
      oneDayPriceChange: change('oneDayBaseline') ?? null,
      ...optional('sevenDayPriceChange', change('sevenDayBaseline')),
      ...optional('thirtyDayPriceChange', change('thirtyDayBaseline')),
      endDate,
      clobTokenId,
    },
    facets: {
      ...optional('volume24h', at('volume24h')),
      ...optional('bestBid', at('bestBid')),
      ...optional('bestAsk', at('bestAsk')),
      ...optional('spread', at('spread')),
      ...optional('lastTradePrice', at('lastTradePrice')),
      ...details,
      outcomes: outcomes ?? pricedOutcomes(sides ?? [], clobTokenId, currentProbability),
    },
    ...optional('midpoint', shift === undefined ? undefined : fromPercent(now)),
  };
}

/** Writes the texts and all columns, the columns as differences from `base`. */
export function writeColumns(writer: ByteWriter, table: MarketTable, base?: MarketTable): void {
  for (const [name, perUnit] of COLUMNS) {
    writeColumn(writer, table.columns[name], base?.columns[name] ?? [], perUnit);
  }
}

export function readColumns(reader: ByteReader, base: MarketTable['columns']): MarketTable['columns'] {
  const read = new Map<ColumnName, Column>();
  for (const [name, perUnit] of COLUMNS) read.set(name, readColumn(reader, base[name], perUnit));
  return columnsFrom((name) => read.get(name) ?? []);
}

export function writeTable(writer: ByteWriter, table: MarketTable): void {
  writer.text(table.texts.join('\n'));
  writer.varint(table.texts.length);
  writeColumns(writer, table);
}

/** @throws Error when the bytes do not hold a table */
export function readTable(reader: ByteReader): MarketTable {
  const text = reader.text();
  const length = reader.varint();
  const texts = length === 0 ? [] : text.split('\n');
  if (texts.length !== length) throw new Error(`Expected ${length} markets, found ${texts.length}`);
  const nothing: Column = texts.map(() => undefined);
  const facts = texts.map((one): MarketFacts => JSON.parse(one));
  return {
    texts,
    facts,
    columns: readColumns(
      reader,
      columnsFrom(() => nothing),
    ),
  };
}

function required(value: number | undefined): number {
  if (value === undefined) throw new Error('A market lacks a number that every market has');
  return value;
}

/** Percent of at most three decimals as a share, without binary noise. */
function fromPercent(percent: number): number {
  return Number((percent / 100).toFixed(5));
}
