import { FORMULA_SIGN } from '../../../../lambda/core/contract/patterns.ts';
import type { Row } from './list.ts';

const NAMES = [
  ...['id', 'question', 'outcome', 'eventTitle', 'currentProbability', 'oneHourPriceChange', 'oneDayPriceChange'],
  ...['sevenDayPriceChange', 'thirtyDayPriceChange', 'volume24h', 'volume', 'liquidity', 'endDate'],
] as (keyof Row)[];

/** The rows as RFC 4180, with the names of the API. */
export function csvOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => NAMES.map((name) => cell(row[name])).join(','));
  return [NAMES.join(','), ...lines, ''].join('\r\n');
}

function cell(value: unknown): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = value.replace(FORMULA_SIGN, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
