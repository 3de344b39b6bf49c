/**
 * Writes markets of a snapshot, the newest list of markets, as the rows of a response in JSON or
 * CSV. The parameter `fields` of the request chooses the fields of each row.
 */
import {
  DEFAULT_MARKET_FIELDS,
  MARKET_FIELDS,
  type MarketField,
} from '../contract/market-fields.ts';
import { defaultFields, type Market, pickFields } from '../domain/market.ts';
import { csvLine } from './csv.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/** How a response writes markets. */
interface RowFormat {
  readonly kind: 'json' | 'csv';
  /** The result of `fieldsOf`: undefined means the default fields. */
  readonly fields: readonly MarketField[] | undefined;
}

/**
 * The fields that the parameter `fields` names, each once, in its order. `all` and `default` stand
 * for several fields.
 *
 * @returns undefined for `default` alone: these fields are stored as JSON, so no market is parsed
 */
export function fieldsOf(names: readonly string[] | undefined): readonly MarketField[] | undefined {
  if (names === undefined || names.every((name) => name === 'default')) return undefined;
  const fields = names.flatMap((name): readonly MarketField[] => {
    if (name === 'default') return DEFAULT_MARKET_FIELDS;
    return name === 'all' ? MARKET_FIELDS : [name as MarketField];
  });
  return [...new Set(fields)];
}

/** The row of one market. Reads no other market of the snapshot. */
export function rowOf(
  snapshot: Pick<MarketSnapshot, 'defaultRow' | 'market'>,
  position: number,
  { kind, fields }: RowFormat,
): string {
  if (kind === 'csv') return csvRow(snapshot.market(position), position, fields);
  if (!fields) return snapshot.defaultRow(position);
  return JSON.stringify(pickFields(snapshot.market(position), fields));
}

function csvRow(market: Market, position: number, fields: RowFormat['fields']): string {
  const shown: Partial<Market> = fields ? market : defaultFields(market, position);
  return csvLine((fields ?? DEFAULT_MARKET_FIELDS).map((name) => shown[name]));
}

/** The body of a response with these rows. CSV begins with a line of the field names. */
export function joinRows(rows: readonly string[], { kind, fields }: RowFormat): string {
  if (kind === 'json') return jsonArray(rows);
  const head = csvLine(fields ?? DEFAULT_MARKET_FIELDS);
  return [head, ...rows].join('');
}

/** A JSON array with one entry per line. @param entries as JSON */
export function jsonArray(entries: readonly string[]): string {
  return `[${entries.join(',\n')}]`;
}

/**
 * Adds a field at the end of an object that is not empty.
 *
 * @example withField('{"id":"0x1"}', 'status', '"active"') // '{"id":"0x1","status":"active"}'
 */
export function withField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}
