import type { MarketDetails, Outcome } from '../domain/market.ts';
import { optional } from '../domain/optional.ts';
import { firstDefined } from './first-defined.ts';
import { asInstant, asList, asNumber, asObject, asPrice, asText, type WireObject } from './json-values.ts';
import type { MarketIds } from './market-ids.ts';

/** What a market's outcomes are, in upstream's order. */
export interface WireOutcomes {
  readonly labels: readonly string[];
  /** Position of YES. */
  readonly yes: number;
  /** Catalogue prices 0..1. */
  readonly prices: readonly (number | undefined)[];
  readonly ids: MarketIds;
}

/** The facts of a Gamma market beyond those that it must have; whatever cannot be read is left out. */
export function readDetails(
  record: WireObject,
  events: readonly WireObject[],
  outcomes: WireOutcomes,
): MarketDetails {
  const ofEvent = (key: string) => firstDefined(events, (event) => asText(event[key]));
  const volume24h = asNumber(record.volume24hr);
  const tick = asPrice(record.orderPriceMinTickSize);
  return {
    ...optional('volume24h', volume24h !== undefined && volume24h >= 0 ? volume24h : undefined),
    ...readPrices(record, outcomes),
    ...optional('eventSlug', ofEvent('slug')),
    ...optional('eventTitle', ofEvent('title')),
    ...optional('groupItemTitle', asText(record.groupItemTitle)),
    ...optional('negRisk', typeof record.negRisk === 'boolean' ? record.negRisk : undefined),
    tags: (asList(record.tags) ?? []).flatMap((tag) => asText(asObject(tag)?.slug) ?? []),
    outcomes: readOutcomes(outcomes),
    ...optional('image', asWebAddress(record.image) ?? asWebAddress(record.icon)),
    ...optional('createdAt', asInstant(record.createdAt)),
    ...optional('minimumTickSize', tick === 0 ? undefined : tick),
    protocolVersion: outcomes.ids.version,
  };
}

function readOutcomes({ labels, prices, ids }: WireOutcomes): readonly Outcome[] {
  return labels.map((label, n) => {
    const price = prices[n];
    return {
      label,
      tokenId: ids.tokenIds[n] ?? '',
      ...optional('probability', price === undefined ? undefined : Number((price * 100).toFixed(3))),
    };
  });
}

/**
 * `bestBid`, `bestAsk` and `lastTradePrice` speak of outcome 0, whose book is that of outcome 1 seen from the other
 * side. A bid of 0, an ask of 1 and a last trade of 0 stand for none.
 */
function readPrices(record: WireObject, { labels, yes }: WireOutcomes) {
  const bid = positive(asPrice(record.bestBid));
  const ask = belowOne(asPrice(record.bestAsk));
  const last = positive(asPrice(record.lastTradePrice));
  const [bestBid, bestAsk, lastTradePrice] =
    yes === 0
      ? [bid, ask, last]
      : labels.length === 2
        ? [complement(ask), complement(bid), complement(last)]
        : [undefined, undefined, undefined];
  return {
    ...optional('bestBid', bestBid),
    ...optional('bestAsk', bestAsk),
    ...optional('spread', readSpread(record)),
    ...optional('lastTradePrice', lastTradePrice),
  };
}

/** The same for both outcomes of a market. A missing bid counts as 0; without an ask nobody can tell. */
function readSpread(record: WireObject): number | undefined {
  const given = asNumber(record.spread);
  if (given !== undefined && given >= 0) return spreadOf(given);
  const bestAsk = asPrice(record.bestAsk);
  if (bestAsk === undefined) return undefined;
  const bestBid = record.bestBid === undefined || record.bestBid === null ? 0 : asPrice(record.bestBid);
  return bestBid === undefined || bestBid > bestAsk ? undefined : spreadOf(bestAsk - bestBid);
}

/** Four decimals: upstream's finest tick. */
function spreadOf(difference: number): number {
  return Number(difference.toFixed(4));
}

/** Pages put it into their markup, so nothing but the web's own schemes passes. */
function asWebAddress(value: unknown): string | undefined {
  const text = asText(value);
  return text !== undefined && /^https?:\/\//i.test(text) ? text : undefined;
}

function positive(price: number | undefined): number | undefined {
  return price === 0 ? undefined : price;
}

function belowOne(price: number | undefined): number | undefined {
  return price === 1 ? undefined : price;
}

/** 1 minus a price without binary noise; ticks have at most four decimals, midpoints a few more. */
function complement(price: number | undefined): number | undefined {
  return price === undefined ? undefined : Number((1 - price).toFixed(8));
}
