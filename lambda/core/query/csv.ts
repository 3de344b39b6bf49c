import { FORMULA_SIGN } from '../contract/patterns.ts';

/** A line of CSV (RFC 4180) with its line end. Lists become JSON; missing values are empty. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A spreadsheet would run a text that begins like a formula.
  const safe = text.replace(FORMULA_SIGN, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
