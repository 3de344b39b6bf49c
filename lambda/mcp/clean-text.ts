/** Longest text that a tool passes on, in UTF-16 units; a longer one is cut. */
const MOST_CHARACTERS = 600;

/**
 * Control characters, those that turn the direction of writing, and those that are not seen at all: nobody needs them
 * in the title of a market, and they can hide from a person what a model reads.
 */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]+/gu;

/** A text of a stranger as one line without anything unseen. */
export function cleanText(text: string): string {
  const clean = text.toWellFormed().replace(UNSEEN, ' ').trim();
  return clean.length > MOST_CHARACTERS ? `${clean.slice(0, MOST_CHARACTERS).toWellFormed()}…` : clean;
}

/** A JSON value with all its texts cleaned; names of fields are ours and stay. */
export function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, cleanTexts(entry)]));
}
