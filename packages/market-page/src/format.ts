/** Numbers and dates as text, each with its unit. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Always one decimal, for comparison in a column; `<` and `>` mark inexact ends. @param value percent, 0–100 */
export function percent(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value > 0 && value < 0.1) return '<0.1 %';
  if (value < 100 && value > 99.9) return '>99.9 %';
  return `${oneDecimal(value)} %`;
}

/**
 * Rounds halves up by decimal digits: 23.95 is 24.0, although its nearest double is smaller. @param value not negative
 */
function oneDecimal(value: number): string {
  return (Math.round(Number(`${value}e1`)) / 10).toFixed(1);
}

/** @param digits minimum decimals, at most two */
export function cents(price: number, digits = 0): string {
  const value = price * 100;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: 2 })} ¢`;
}

/** Decimals that all prices of a column need, in cents. */
export function centDigits(prices: readonly number[]): number {
  return Math.max(0, ...prices.map((price) => (/\.(\d+)/.exec(cents(price))?.[1] ?? '').length));
}

export function usd(value: number | undefined): string {
  if (value === undefined) return '–';
  return `$${compact.format(value < 1_000 ? Math.round(value) : value)}`;
}

/** With sign and arrow, so that colour is not the only sign. */
export function signedPoints(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value) < 0.05 ? 0 : Math.abs(value);
  if (size === 0) return '0 pt';
  return `${value > 0 ? '▲ +' : '▼ −'}${oneDecimal(size)} pt`;
}

export function direction(value: number | null | undefined): 'up' | 'down' | 'flat' {
  if (value === null || value === undefined || Math.abs(value) < 0.05) return 'flat';
  return value > 0 ? 'up' : 'down';
}

/** @param seconds age */
export function age(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`;
  return seconds < 2 * HOUR ? `${Math.round(seconds / MINUTE)} min` : `${Math.round(seconds / HOUR)} h`;
}

/** "in 3 h", "in 12 days", "Mar 2027", "overdue". @param now Unix ms */
export function ends(endDate: string, now: number): string {
  const seconds = (Date.parse(endDate) - now) / 1_000;
  if (Number.isNaN(seconds)) return '–';
  if (seconds <= 0) return 'overdue';
  if (seconds < HOUR) return `in ${Math.max(1, Math.round(seconds / MINUTE))} min`;
  if (seconds < 2 * DAY) return `in ${Math.round(seconds / HOUR)} h`;
  if (seconds < 60 * DAY) return `in ${Math.round(seconds / DAY)} days`;
  return new Date(endDate).toLocaleDateString('en', { month: 'short', year: 'numeric' });
}

export function date(value: string): string {
  return new Date(value).toLocaleDateString('en', { dateStyle: 'medium' });
}

/** 24 hours, the browser's time zone. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function dateTime(value: string | number): string {
  return new Date(value).toLocaleString('en', { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK });
}

export function clockTime(value: string | number, seconds = false): string {
  return new Date(value).toLocaleTimeString('en', { ...CLOCK, ...(seconds ? { second: '2-digit' } : {}) });
}

/** "Nov 22". @param value Unix ms */
export function day(value: number): string {
  return new Date(value).toLocaleDateString('en', { month: 'short', day: 'numeric' });
}

/** "Nov". @param value Unix ms */
export function month(value: number): string {
  return new Date(value).toLocaleDateString('en', { month: 'short' });
}

/** @param value Unix ms */
export function year(value: number): number {
  return new Date(value).getFullYear();
}

/** With the time zone: "Nov 20, 2026, 07:00 GMT+1". @param value Unix ms */
export function zonedTime(value: number): string {
  const zone = { timeZoneName: 'short', ...CLOCK } as const;
  return new Date(value).toLocaleString('en', { year: 'numeric', month: 'short', day: 'numeric', ...zone });
}
