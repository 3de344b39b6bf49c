/**
 * Writes CSV (RFC 4180). A spreadsheet runs a cell as a formula if it begins with =, +, - or @, and
 * users of Polymarket write the texts. So each such text gets a `'` before the sign.
 */

/**
 * Finds the place before such a sign at the start of a text, a line, or a part after a semicolon,
 * which separates cells in many countries. Some spreadsheets also accept full-width signs.
 *
 * @example '=1+1'.replace(FORMULA_SIGN, "'") // "'=1+1"
 */
const FORMULA_SIGN = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s"]*)/gu;

/**
 * A line with its line end. Lists become JSON; missing values are empty.
 *
 * @example csvLine(['a,b', 2, null, ['x']]) // '"a,b",2,,"[""x""]"\r\n'
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(FORMULA_SIGN, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
