import type { MarketRecord } from './market.ts';

/** What a character of a text may take once it is escaped twice, as JSON inside of JSON: `\\\\u0000`. */
const BYTES_PER_CHARACTER = 7;
/** Names, numbers, ids and punctuation of a row without its texts, and of an outcome without its label. */
const BYTES_BESIDES = 2_000;
const BYTES_PER_OUTCOME = 250;

/** Bytes that no row of the market is longer than in a response, however it is written: far more than nearly all take. */
export function rowBound(market: MarketRecord): number {
  const { question, slug = '', eventSlug = '', eventTitle = '', groupItemTitle = '', image = '' } = market;
  // Slugs stand in the public URL once more.
  const texts = [
    question,
    slug,
    slug,
    eventSlug,
    eventSlug,
    eventTitle,
    groupItemTitle,
    image,
    ...market.tags,
  ];
  const characters = [...texts, ...market.outcomes.flatMap(({ label }) => [label, label])]
    .map((text) => text.length)
    .reduce((sum, length) => sum + length, 0);
  return BYTES_BESIDES + market.outcomes.length * BYTES_PER_OUTCOME + characters * BYTES_PER_CHARACTER;
}

/** Of the longest among some markets; 0 where there are none. */
export function longestRow(markets: Iterable<MarketRecord>): number {
  let most = 0;
  for (const market of markets) most = Math.max(most, rowBound(market));
  return most;
}
