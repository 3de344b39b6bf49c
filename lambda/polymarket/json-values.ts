/**
 * Readers for values of unknown origin. Upstream guarantees no key and no type (upstream.md), so each reader
 * is undefined for whatever it does not understand.
 */
export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as WireObject)
    : undefined;
}

/** A text with something in it. Half a surrogate pair, which strict JSON readers refuse, becomes U+FFFD. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.toWellFormed() : undefined;
}

/** A finite number, also one written as a decimal string, with or without the zero before its point. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d+)?\s*$/.test(value))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A price or probability: a number in 0..1. */
export function asPrice(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
}

/** The year 5138: as milliseconds or microseconds, every moment since 1973 is later. */
const LATEST_SECONDS = 1e11;

/** A time in Unix seconds, not in any finer unit. */
export function asUnixSeconds(value: unknown): number | undefined {
  const seconds = asNumber(value);
  return seconds !== undefined && seconds < LATEST_SECONDS ? seconds : undefined;
}

/** A list, also one that upstream wrote as a string that holds JSON. */
export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined; // broken JSON is the same as no list
  }
}

/** RFC 3339 with 0–9 fraction digits; upstream also writes a space for the T, a bare hour as offset, or no zone. */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:([T ])((?:[01]\d|2[0-3]):\d{2}:\d{2})(\.\d{1,9})?(\s?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * An ISO 8601 instant: as upstream wrote it where that is RFC 3339 in UTC, otherwise brought into that form. A time
 * without a zone is taken for UTC; a day that no calendar has is none.
 */
export function asInstant(value: unknown): string | undefined {
  const match = typeof value === 'string' ? INSTANT.exec(value.trim()) : null;
  if (!match) return undefined;
  const [text, day = '', separator, time = '00:00:00', fraction = '', gap, zone] = match;
  if (!isCalendarDay(day)) return undefined;
  const milliseconds = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offsetOf(zone)}`);
  if (Number.isNaN(milliseconds)) return undefined;
  const isRfc3339 = separator === 'T' && gap === '' && zone === 'Z';
  return isRfc3339 ? text : new Date(milliseconds).toISOString();
}

/** `Date.parse` takes 30 February for 2 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** `+00` and `+0530` become `+00:00` and `+05:30`. */
function offsetOf(zone: string | undefined): string {
  if (zone === undefined || /^z$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.replace(':', '').slice(3) || '00'}`;
}
