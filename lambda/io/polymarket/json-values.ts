/**
 * Readers of single values in the JSON of upstream (Polymarket's APIs), which guarantees neither
 * fields nor types. `asText` reads a text, `asPrice` a price, and so on. They return undefined for a
 * value of another kind.
 */
import { readInstant } from '../../core/domain/moment.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { parseJson } from '../../core/domain/values.ts';

/** An object of upstream, whose fields nobody has checked. */
export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as WireObject)
    : undefined;
}

/** Most texts are plain ASCII, which needs no cleaning. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const LINE_BREAK = /\r\n|[\r\u0085\u2028\u2029]/g;
/**
 * Control characters except line breaks (`[^\P{Cc}\n]`), bidirectional, zero-width and tag
 * characters: programs read them, people do not see them.
 */
const INVISIBLE =
  /[^\P{Cc}\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/**
 * Zero-width joiners that do not stand between letters or emoji. There they shape the text;
 * elsewhere they only hide in it.
 */
const LOOSE_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{Extended_Pictographic}])/gu;

/**
 * A text in one line: trimmed, without invisible characters, and with spaces in place of line
 * breaks. A blank text is undefined.
 */
export function asText(value: unknown): string | undefined {
  return asLines(value)?.replaceAll('\n', ' ');
}

/**
 * As `asText`, but keeps line breaks. Half a surrogate pair becomes U+FFFD, because strict JSON
 * readers reject it.
 */
export function asLines(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (PRINTABLE_ASCII.test(value)) return value.trim() || undefined;
  const lines = value.toWellFormed().replace(LINE_BREAK, '\n').replaceAll('\t', ' ');
  return lines.replace(INVISIBLE, '').replace(LOOSE_JOINER, '').trim() || undefined;
}

/** A finite number, or a decimal string such as `.5`. */
export function asNumber(value: unknown): number | undefined {
  const isDecimal =
    typeof value === 'string' && /^\s*-?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d+)?\s*$/.test(value);
  const number = isDecimal ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** An amount in USD or shares: a number that is not negative. */
export function asAmount(value: unknown): number | undefined {
  return numberBetween(0, Number.POSITIVE_INFINITY, value);
}

/** A price or probability: a number from 0 to 1. */
export function asPrice(value: unknown): number | undefined {
  return numberBetween(0, 1, value);
}

/** In the year 5138. A time in milliseconds is a larger number, for every moment since 1973. */
const MAX_UNIX_SECONDS = 1e11 - 1;

/** Whole seconds since 1970, without a fraction. Rejects times in a finer unit. */
export function asUnixSeconds(value: unknown): UnixSeconds | undefined {
  const seconds = numberBetween(0, MAX_UNIX_SECONDS, value);
  return seconds === undefined ? undefined : Math.floor(seconds);
}

function numberBetween(min: number, max: number, value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

/**
 * The longest list inside a string. Real lists have a few hundred characters. The HTTP client does
 * not count the values inside strings, and 8 MB of lists would exceed the refresher's memory.
 */
const MAX_INNER_JSON_CHARACTERS = 10_000;

/** A list, or a list as JSON inside a string, as Gamma writes some of them. */
export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || value.length > MAX_INNER_JSON_CHARACTERS) return undefined;
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : undefined;
}

/**
 * A time as upstream writes it: RFC 3339, such as `2026-01-31T12:00:00Z`. Upstream also writes a
 * space for the T, an offset of hours only, or no zone: `2026-01-31 12:00:00+00`.
 */
const INSTANT =
  /^(?<day>\S{10})[T ](?<time>\S{8,18}?)\s?(?:Z|(?<hours>[+-]\d\d):?(?<minutes>\d\d)?)?$/i;

/** A time as RFC 3339 in UTC, unchanged if it has that form. Without a zone, the time is UTC. */
export function asInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const parts = INSTANT.exec(text)?.groups ?? {};
  // Without a match, the text may be a day: `2026-01-31`.
  const { day = text, time = '00:00:00', hours, minutes = '00' } = parts;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const milliseconds = readInstant(`${day}T${time}${zone}`);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
