/** More digits than any price, size or 256-bit number has; longer ones are not worth the time to compare them. */
const DECIMAL = /^(?:\d{1,100}(?:\.\d{1,100})?|\.\d{1,100})$/;

/** A number as the order book writes it: digits with or without a fraction, not canonical ("0.5", "0.500", ".5"). */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

/** A price or probability as the order book writes it: at most 1. */
export function isPrice(value: unknown): value is string {
  return isDecimal(value) && Number(value) <= 1;
}

/**
 * Compares two decimal strings as the numbers they stand for, exactly, however many digits they have.
 *
 * @returns negative, 0 or positive; 0 for "0.5" and "0.500"
 */
export function compareDecimals(a: string, b: string): number {
  const [wholeA, fractionA] = significant(a);
  const [wholeB, fractionB] = significant(b);
  return wholeA.length - wholeB.length || compareTexts(wholeA, wholeB) || compareTexts(fractionA, fractionB);
}

/** The digits before and after the point without the zeros that change nothing. */
function significant(decimal: string): [whole: string, fraction: string] {
  const [whole = '', fraction = ''] = decimal.split('.');
  return [whole.replace(/^0+/, ''), fraction.replace(/0+$/, '')];
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
