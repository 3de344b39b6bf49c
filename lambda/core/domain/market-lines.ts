/**
 * The text in which a snapshot (a published list of markets) is stored: one line of JSON per
 * market, in list order. A line has the default fields of the API first, then one field with all
 * others: `{"id":"0x1","question":"Yes?","details":{"image":"…"}}`. So a response with the default
 * fields needs only the first part of each line.
 */
import { defaultFields, type Market } from './market.ts';

/** Begins the field with all others. JSON escapes quotes, so no text of a market looks like it. */
const DETAILS = ',"details":';

/** Writes the text of a snapshot. @param markets in list order */
export function encodeMarkets(markets: readonly Market[]): Buffer {
  return Buffer.from(markets.map(encodeMarket).join('\n'));
}

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
 * The default fields of a market as JSON: `{"id":"0x1","question":"Yes?"}`. Cutting the line costs
 * a tenth of parsing and writing it.
 */
export function defaultPart(line: string): string {
  return `${line.slice(0, line.indexOf(DETAILS))}}`;
}

/** The market of a line. */
export function decodeMarket(line: string): Market {
  const { details, ...shown } = JSON.parse(line);
  return { ...shown, ...details };
}
