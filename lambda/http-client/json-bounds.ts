/** A page of the catalogue has 20,000 values, twenty histories of a month in steps of ten minutes 270,000. */
const MOST_VALUES = 500_000;
/** Upstream's responses have up to seven levels. */
const MOST_LEVELS = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether JSON is not worth parsing, by its text alone: 20 MB of it that are nothing but tiny values, or lists within
 * lists, take a gigabyte as objects, and the function has half of one.
 *
 * @returns how the call has failed, or undefined for a text that may be parsed
 */
export function excessOf(json: string): 'too_large' | 'wrong_shape' | undefined {
  let values = 0;
  let levels = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(json, at);
        break;
      case COMMA:
        values += 1;
        if (values > MOST_VALUES) return 'too_large';
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values += 1;
        levels += 1;
        if (levels > MOST_LEVELS) return 'wrong_shape';
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        levels -= 1;
        break;
    }
  }
  return values > MOST_VALUES ? 'too_large' : undefined;
}

/** Where the text that begins with this quote ends. */
function endOfText(json: string, start: number): number {
  let end = start;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
