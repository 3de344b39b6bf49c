import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS, type MarketField } from '../contract/market-fields.ts';
import { defaultFields, type Market, pickFields } from '../domain/market.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

interface RowFormat {
  readonly kind: 'json' | 'csv';
  /** Undefined: the default fields. */
  readonly fields: readonly MarketField[] | undefined;
}

/**
 * For a list such as `id,default,outcomes`: each field once, in order.
 *
 * @returns undefined for the default alone, which is cut from the stored lines
 */
export function fieldsOf(names: readonly string[] | undefined): readonly MarketField[] | undefined {
  if (names === undefined || names.every((name) => name === 'default')) return undefined;
  const fields = names.flatMap((name): readonly MarketField[] => {
    if (name === 'default') return DEFAULT_MARKET_FIELDS;
    return name === 'all' ? MARKET_FIELDS : [name as MarketField];
  });
  return [...new Set(fields)];
}

/** Reads this market only. */
export function rowOf(
  snapshot: Pick<MarketSnapshot, 'line' | 'market'>,
  position: number,
  { kind, fields }: RowFormat,
): string {
  if (kind === 'json') {
    return fields ? JSON.stringify(pickFields(snapshot.market(position), fields)) : snapshot.line(position);
  }
  const market = snapshot.market(position);
  const shown: Partial<Market> = fields ? market : defaultFields(market, position);
  return csvLine((fields ?? DEFAULT_MARKET_FIELDS).map((name) => shown[name]));
}

export function joinRows(rows: readonly string[], { kind, fields }: RowFormat): string {
  return kind === 'json' ? jsonArray(rows) : [csvLine(fields ?? DEFAULT_MARKET_FIELDS), ...rows].join('');
}

/** @param entries as JSON, one per line */
export function jsonArray(entries: readonly string[]): string {
  return `[${entries.join(',\n')}]`;
}

/** Adds a field at the end. @param object as JSON, not empty @param value as JSON */
export function withField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}

/** RFC 4180, with line end. Lists are JSON, missing values empty. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * Users of Polymarket write the texts, and a spreadsheet runs a cell that begins like a formula. In many countries a
 * semicolon separates cells, and the quotes of this format then disappear. A full-width sign is a sign to some
 * spreadsheets.
 */
const FORMULA_SIGN = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s"]*)/gu;

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(FORMULA_SIGN, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
