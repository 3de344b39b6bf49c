/**
 * A snapshot is stored as one line of JSON per market, in list order: the default fields, then a
 * field with all others. A list without `fields` can then cut its rows from the lines.
 */
import { defaultFields, type Market } from './market.ts';

/** The field with all fields that are not default. JSON escapes quotes, so no text looks like it. */
const DETAILS = ',"details":';

/** Writes the text of a snapshot. @param markets in list order */
export function encodeMarkets(markets: readonly Market[]): Buffer {
  return Buffer.from(markets.map(encodeMarket).join('\n'));
}

/** Such as `{"id":"0x1","question":"Yes?","details":{"image":"…"}}`. */
function encodeMarket(market: Market, position: number): string {
  const shown = defaultFields(market, position);
  const details = Object.fromEntries(Object.entries(market).filter(([name]) => !(name in shown)));
  const openObject = JSON.stringify(shown).slice(0, -1);
  return `${openObject}${DETAILS}${JSON.stringify(details)}}`;
}

/** The lines of a snapshot's text. */
export function splitLines(text: Buffer): string[] {
  return text.length === 0 ? [] : text.toString().split('\n');
}

/**
 * The default fields of a market as JSON. Cutting its line costs a tenth of parsing and writing it.
 */
export function defaultPart(line: string): string {
  return `${line.slice(0, line.indexOf(DETAILS))}}`;
}

/** The market of a line. */
export function decodeMarket(line: string): Market {
  const { details, ...shown } = JSON.parse(line);
  return { ...shown, ...details };
}
