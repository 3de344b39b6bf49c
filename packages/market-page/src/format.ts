/** Numbers, amounts, changes, times and slugs as the page writes them. */

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Short numbers with one decimal, so that the decimals of a column are below each other. */
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** "97.6%", and "–" for an unknown value. @param value percent, 0 to 100 */
export function percent(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value > 0 && value < 0.1) return '<0.1%';
  if (value < 100 && value > 99.9) return '>99.9%';
  return `${oneDecimal(value)}%`;
}

/**
 * "97.6%" beside "2.4%": the two shown numbers add up to 100.
 *
 * @param value percent of the first outcome
 */
export function otherPercent(value: number): string {
  // "<0.1%" and ">99.9%" are no numbers to subtract: the exact rest has the opposite sign.
  const isSign = value < 0.1 || value > 99.9;
  const shown = isSign ? value : Number(oneDecimal(value));
  return percent((1_000 - shown * 10) / 10);
}

/**
 * A number with one decimal. Rounds halves up: 23.95 is 24.0, although its nearest double is
 * smaller. A price times 100 has an error at its 14th digit.
 *
 * @param value not negative
 */
function oneDecimal(value: number): string {
  return (Math.round(Number((value * 10).toFixed(6))) / 10).toFixed(1);
}

/** A price in cents, "4.5 ¢" in one line. @param price USD @param digits the fewest decimals */
export function cents(price: number, digits = 0): string {
  const value = price * 100;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: 2 })}\u00a0¢`;
}

/** The decimals that a column of prices in cents needs. */
export function centDigits(prices: readonly number[]): number {
  return Math.max(0, ...prices.map((price) => (/\.(\d+)/.exec(cents(price))?.[1] ?? '').length));
}

/** An exact amount, "$369.40". */
export function dollars(value: number): string {
  return value.toLocaleString('en', { style: 'currency', currency: 'USD' });
}

/** A short amount in USD, "$1.2M". */
export function usd(value: number | undefined): string {
  if (value === undefined) return '–';
  return value < 999.5 ? `$${Math.round(value)}` : `$${compact.format(Math.max(value, 1_000))}`;
}

/** "+3.7 pt": percentage points. */
export function signedPoints(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const size = oneDecimal(Math.abs(value));
  return `${size === '0.0' ? '' : value > 0 ? '+' : '−'}${size} pt`;
}

/** The sentence about each "≈" in a view. */
export const DOUBT =
  '≈ marks a change that can be wrong: it may begin in the middle of a wide order book.';

/** A market with the names of the changes that the service doubts. */
interface Doubted {
  readonly doubtfulChanges?: readonly string[] | undefined;
}

/** "≈ +47.2 pt" for a change that the service doubts. */
export function changeText<F extends string>(
  market: Doubted & { readonly [name in F]?: number | null | undefined },
  field: F,
): string {
  return `${market.doubtfulChanges?.includes(field) ? '≈ ' : ''}${signedPoints(market[field])}`;
}

/** A change of fewer percentage points is noise, which has no colour. */
const NOTABLE_POINTS = 1;

/** The class of a change, which decides its colour. @param value percentage points */
export function direction(value: number | null | undefined): 'up' | 'down' | 'flat' {
  if (value === null || value === undefined || Math.abs(value) < NOTABLE_POINTS) return 'flat';
  return value > 0 ? 'up' : 'down';
}

/** An age in few words: "41 s", "12 min", "3 h". */
export function age(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS) return `${Math.round(seconds)} s`;
  return seconds < 2 * HOUR_SECONDS
    ? `${Math.round(seconds / MINUTE_SECONDS)} min`
    : `${Math.round(seconds / HOUR_SECONDS)} h`;
}

/**
 * When a market ends, in few words: "in 12 min", "today 18:00", "tomorrow", "Fri 09:30",
 * "in 12 days", "Mar 2027", "overdue".
 *
 * @param now Unix ms
 * @param createdAt tells a time at midnight UTC from a date without a time
 */
export function ends(endDate: string, now: number, createdAt?: string): string {
  const time = Date.parse(endDate);
  if (Number.isNaN(time)) return '–';
  if (time <= now) return 'overdue';
  const soon = countdown(endDate, now, createdAt);
  if (soon !== undefined) return soon;
  const options = { month: 'short', year: 'numeric', ...zoneOf(endDate) } as const;
  return new Date(endDate).toLocaleDateString('en', options);
}

/**
 * The time to an end, by the first row that applies. A market of at most two days ends at a time,
 * even at midnight. Any other end at midnight UTC is a date without a time.
 *
 * | end                 | with a time      | date without a time |
 * | ------------------- | ---------------- | ------------------- |
 * | past                | undefined        | undefined           |
 * | in less than 1 hour | "in 12 min"      | as below            |
 * | in 60 days or more  | undefined        | undefined           |
 * | in 7 days or more   | "in 12 days"     | "in 12 days"        |
 * | today               | "today 18:00"    | "today"             |
 * | tomorrow            | "tomorrow 18:00" | "tomorrow"          |
 * | in 2 to 6 days      | "Fri 09:30"      | "Fri"               |
 */
export function countdown(endDate: string, now: number, createdAt?: string): string | undefined {
  const seconds = (Date.parse(endDate) - now) / 1_000;
  if (!(seconds > 0)) return undefined;
  const hasTime = !isBareDate(endDate) || isShort(endDate, createdAt);
  if (hasTime && seconds < HOUR_SECONDS)
    return `in ${Math.max(1, Math.round(seconds / MINUTE_SECONDS))} min`;
  const days = calendarDay(endDate, hasTime) - calendarDay(now, true);
  if (days >= 60) return undefined;
  if (days >= 7) return `in ${days} days`;
  const zone = hasTime ? {} : zoneOf(endDate);
  const weekday = new Date(endDate).toLocaleDateString('en', { weekday: 'short', ...zone });
  const name = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : weekday;
  return hasTime ? `${name} ${clockTime(endDate)}` : name;
}

/** The number of a day since 1970, by the calendar of the reader or of UTC. */
function calendarDay(time: string | number, isLocal: boolean): number {
  const moment = new Date(time);
  const midnight = isLocal
    ? Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate())
    : Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  return midnight / (DAY_SECONDS * 1_000);
}

/** "Nov 20, 2026". */
export function date(value: string): string {
  return new Date(value).toLocaleDateString('en', { dateStyle: 'medium', ...zoneOf(value) });
}

/** Upstream writes a date without a time as midnight UTC: it is the same day in every zone. */
function isBareDate(value: string): boolean {
  return /T00:00:00(\.\d+)?Z$/.test(value);
}

/** The time zone in which a date is written: UTC for a date without a time, else the reader's. */
function zoneOf(value: string): Intl.DateTimeFormatOptions {
  return isBareDate(value) ? { timeZone: 'UTC' } : {};
}

/** Whether a market lives at most two days. Its end is then a time, even at midnight. */
function isShort(endDate: string, createdAt: string | undefined): boolean {
  return (
    createdAt !== undefined &&
    Date.parse(endDate) - Date.parse(createdAt) <= 2 * DAY_SECONDS * 1_000
  );
}

/** When a market ends or ended: a date, with the time for a market of at most two days. */
export function shortMoment(value: string, createdAt: string | undefined): string {
  return isShort(value, createdAt) ? dateTime(value) : date(value);
}

/** The same with the time for every market, except if the upstream has only a date. */
export function fullMoment(value: string, createdAt: string | undefined): string {
  return isBareDate(value) ? shortMoment(value, createdAt) : dateTime(value);
}

/** A time with 24 hours, in the browser's time zone. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE_TIME = { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK } as const;

/** "Nov 20, 2026, 07:00". */
export function dateTime(value: string | number): string {
  return new Date(value).toLocaleString('en', DATE_TIME);
}

/** "07:00". */
export function clockTime(value: string | number): string {
  return new Date(value).toLocaleTimeString('en', CLOCK);
}

/** "07:00:12". */
export function clockTimeWithSeconds(value: string | number): string {
  return new Date(value).toLocaleTimeString('en', { ...CLOCK, second: '2-digit' });
}

/** "Nov 22". @param value Unix ms */
export function day(value: number): string {
  return new Date(value).toLocaleDateString('en', { month: 'short', day: 'numeric' });
}

/** "Nov". @param value Unix ms */
export function month(value: number): string {
  return new Date(value).toLocaleDateString('en', { month: 'short' });
}

/** The year in the reader's zone. @param value Unix ms */
export function year(value: number): number {
  return new Date(value).getFullYear();
}

/** "Nov 20, 2026, 07:00 GMT+1". @param value Unix ms */
export function zonedTime(value: number): string {
  return new Date(value).toLocaleString('en', { ...DATE_TIME, timeZoneName: 'short' });
}

/** "Fed decision in March" for "fed-decision-in-march-20071": a slug without its number. */
export function slugWords(slug: string): string {
  const words = slug.replace(/-\d{5,}$/, '').replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
