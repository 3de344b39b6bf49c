const NUMBER = new Intl.NumberFormat('en-US');

/** `2,000` */
export function count(value: number): string {
  return NUMBER.format(value);
}

/** `12:00:01`, this machine's time */
export function timeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** `3 ms`, `1.2 s`, `2 min` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1_000)} s`;
  return `${trimmed(ms / 60_000)} min`;
}

/** `0 B`, `1.2 kB`, `3.4 MB` */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${trimmed(bytes / 1_000)} kB`;
  return `${trimmed(bytes / 1_000_000)} MB`;
}

/** `message key=value other="two words"` */
export function logLine(message: string, keys: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(keys).map(([key, value]) => `${key}=${valueText(value)}`);
  return [message, ...pairs].join(' ');
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return /[\s"=]/.test(value) || value === '' ? JSON.stringify(value) : value;
  if (typeof value === 'object' && value !== null && 'message' in value) {
    const name = 'name' in value ? `${value.name}: ` : '';
    const cause = 'cause' in value && value.cause ? ` (${valueText(value.cause)})` : '';
    return JSON.stringify(`${name}${value.message}${cause}`);
  }
  return JSON.stringify(value) ?? String(value);
}

/** A text without what a terminal would obey instead of showing it: control characters but for the line feed. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{FFFD}');
}
