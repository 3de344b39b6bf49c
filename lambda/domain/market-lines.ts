import { defaultFields, type Market } from './market.ts';

/**
 * A snapshot as text: one line of JSON per market, in list order. The default fields come first, as a response shows
 * them; the last field holds all other fields. A quote inside a JSON text is escaped, so that no text looks like the
 * beginning of that field.
 */
const DETAILS = ',"details":';

/** @param markets in list order */
export function encodeMarkets(markets: readonly Market[]): Buffer {
  return Buffer.from(markets.map(encodeMarket).join('\n'));
}

function encodeMarket(market: Market, position: number): string {
  const shown = defaultFields(market, position);
  const details = Object.fromEntries(Object.entries(market).filter(([name]) => !(name in shown)));
  return `${JSON.stringify(shown).slice(0, -1)}${DETAILS}${JSON.stringify(details)}}`;
}

/** The lines of a snapshot's text. */
export function splitLines(text: Buffer): string[] {
  return text.length === 0 ? [] : text.toString().split('\n');
}

/** The default fields of a market as JSON, cut from its line: that costs a tenth of parsing and writing them again. */
export function defaultPart(line: string): string {
  return `${line.slice(0, line.indexOf(DETAILS))}}`;
}

export function decodeMarket(line: string): Market {
  const { details, ...shown } = JSON.parse(line);
  return { ...shown, ...details };
}
