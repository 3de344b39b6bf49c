import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS, type MarketField } from '../contract/market-schemas.ts';
import type { MarketRecord } from '../domain/market.ts';
import { outcomeOf } from '../domain/market-list.ts';
import { type CategorySet, namesIn } from '../search/category-members.ts';

/** A market with what is worked out of its record. */
export type MarketFields = Readonly<Partial<Record<MarketField, unknown>>>;

/**
 * The fields that a list such as `id,default,outcomes` stands for, each once, in the order given. Undefined for the
 * default alone, which is held encoded.
 */
export function fieldsOf(asked: readonly string[] | undefined): readonly MarketField[] | undefined {
  if (asked === undefined || asked.every((name) => name === 'default')) return undefined;
  const names = asked.flatMap((name): readonly MarketField[] => {
    if (name === 'default') return DEFAULT_MARKET_FIELDS;
    return name === 'all' ? MARKET_FIELDS : [name as MarketField];
  });
  return [...new Set(names)];
}

/** Those of the named fields that the market has, in that order. */
export function pickFields(
  market: MarketRecord,
  categories: CategorySet,
  names: readonly MarketField[],
): MarketFields {
  const found: Partial<Record<MarketField, unknown>> = {};
  for (const name of names) {
    const value = fieldOf(market, categories, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** A field of a market; undefined where it has none. */
export function fieldOf(market: MarketRecord, categories: CategorySet, name: MarketField): unknown {
  switch (name) {
    case 'outcome':
      return outcomeOf(market);
    case 'category':
      return namesIn(categories)[0];
    case 'url':
      return urlOf(market);
    default:
      return market[name];
  }
}

const SITE = 'https://polymarket.com';

/** The market's page on the provider's site (docs/upstream.md, "Events and pages"). */
function urlOf({ eventSlug, slug }: MarketRecord): string | undefined {
  const segments = [eventSlug, slug].flatMap((part) =>
    part === undefined ? [] : [encodeURIComponent(part)],
  );
  if (segments.length === 0) return undefined;
  return `${SITE}/${eventSlug === undefined ? 'market' : 'event'}/${segments.join('/')}`;
}
