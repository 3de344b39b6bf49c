/** Reads one record of Gamma, Polymarket's API for its catalogue, as a market of this service. */
import { categoriesOf } from '../../core/domain/categories.ts';
import { isConditionId, paddedConditionId } from '../../core/domain/ids.ts';
import type {
  CatalogueMarket,
  CataloguePrices,
  CatalogueRecord,
  SkippedMarket,
} from '../../core/domain/market.ts';
import { definedFields, fieldIf, itemAt, type OptionalFields } from '../../core/domain/values.ts';
import {
  asAmount,
  asInstant,
  asList,
  asObject,
  asPrice,
  asText,
  type WireObject,
} from './json-values.ts';
import { readMarketIds } from './market-ids.ts';

/**
 * UTF-8 bytes of a market as JSON. Real markets have 1–2 KB. A huge one must not spoil the list.
 */
const MAX_MARKET_BYTES = 10_000;
/** The address of Polymarket's site, for the links of markets. */
const SITE = 'https://polymarket.com';

/**
 * Reads a record of the list of open markets (docs/upstream.md). Never throws. The result has one of
 * three kinds: `listable`, with the market; `inactive`, if it does not trade; `skipped`, with the
 * reason why the service cannot list it.
 */
export function readGammaMarket(raw: unknown): CatalogueRecord {
  const record = asObject(raw);
  if (!record) return { kind: 'skipped', reason: 'not_an_object' };
  const conditionId = asText(record.conditionId) ?? '';
  // The form of the id that is equal however Gamma writes it.
  const id = isConditionId(conditionId) ? paddedConditionId(conditionId) : undefined;
  // Gamma omits fields that are zero, false or empty.
  const isActive = record.active === true && record.closed !== true && record.archived !== true;
  if (!isActive) return { kind: 'inactive', ...fieldIf('id', id) };
  if (record.enableOrderBook !== true)
    return { kind: 'skipped', ...fieldIf('id', id), reason: 'no_order_book' };
  if (id === undefined) return { kind: 'skipped', reason: 'condition_id' };
  const market = readMarket(record, conditionId);
  if ('reason' in market) return { kind: 'skipped', id, ...market };
  if (Buffer.byteLength(JSON.stringify(market)) > MAX_MARKET_BYTES)
    return { kind: 'skipped', id, reason: 'too_long' };
  return {
    kind: 'listable',
    id,
    market,
    ...(volumeOf(record) === undefined && { lacksVolume: true }),
  };
}

/**
 * The optional fields of a market. If `readMarket` forgets one, that is a type error. The refresher
 * counts `missedCrawls` itself; Gamma has no such field.
 */
type Details = Omit<OptionalFields<CatalogueMarket>, 'missedCrawls'>;

/**
 * The market of a record, whether it trades or not. Omits optional fields that it cannot read.
 *
 * @param conditionId as Gamma writes it
 * @returns why the service cannot read it, if a required field is not readable
 */
export function readMarket(
  record: WireObject,
  conditionId: string,
): CatalogueMarket | SkippedMarket {
  const question = asText(record.question);
  if (question === undefined) return { reason: 'question' };
  const labels = asLabels(record.outcomes);
  if (!labels) return { reason: 'outcomes' };
  const ids = readMarketIds(record, labels.length);
  if ('reason' in ids) return ids;
  const events = objectsOf(record.events);
  const endDate = firstOf([record, ...events], ({ endDate: date }) => asInstant(date));
  if (endDate === undefined) return { reason: 'end_date' };

  // Without a label "Yes", YES is the first outcome (Up/Down, team names).
  const yesIndex = Math.max(0, labels.findIndex(isYes));
  const label = itemAt(labels, yesIndex);
  const tags = objectsOf(record.tags).flatMap((tag) => asText(tag.slug) ?? []);
  const categories = categoriesOf(question, tags);
  const slug = asText(record.slug);
  const eventSlug = firstOf(events, (event) => asText(event.slug));
  return {
    id: conditionId,
    question,
    volume: volumeOf(record) ?? 0,
    liquidity: asAmount(record.liquidityNum) ?? asAmount(record.liquidity) ?? 0,
    endDate,
    clobTokenId: itemAt(ids.tokenIds, yesIndex),
    ...definedFields<Details>({
      slug,
      outcome: isYes(label) ? undefined : label,
      volume24h: asAmount(record.volume24hr),
      eventSlug,
      eventTitle: firstOf(events, (event) => asText(event.title)),
      groupItemTitle: asText(record.groupItemTitle),
      negRisk: typeof record.negRisk === 'boolean' ? record.negRisk : undefined,
      category: categories[0],
      url: publicUrl(eventSlug, slug),
      image: asWebAddress(record.image) ?? asWebAddress(record.icon),
      createdAt: asInstant(record.createdAt),
      minimumTickSize: priceUnless(0, record.orderPriceMinTickSize),
    }),
    outcomes: labels.map((text, n) => ({ label: text, tokenId: itemAt(ids.tokenIds, n) })),
    categories,
    tags,
    protocolVersion: ids.version,
    catalogue: readPrices(record, yesIndex, labels.length),
  };
}

/** In USD; undefined if the record has no readable volume. */
function volumeOf({ volumeNum, volume }: WireObject): number | undefined {
  return asAmount(volumeNum) ?? asAmount(volume);
}

/**
 * The labels of the outcomes; undefined if one is not readable: the token of YES is unknown then.
 */
function asLabels(value: unknown): readonly string[] | undefined {
  const labels = asList(value);
  if (!labels || labels.length === 0 || !labels.every((label) => typeof label === 'string'))
    return undefined;
  return labels.map((label) => asText(label) ?? '');
}

function isYes(label: string): boolean {
  return label.trim().toLowerCase() === 'yes';
}

/** The objects in a list. Omits other entries. */
function objectsOf(list: unknown): readonly WireObject[] {
  return (asList(list) ?? []).map(asObject).filter((object) => object !== undefined);
}

/** The first text that `read` finds in the objects. */
function firstOf(
  objects: readonly WireObject[],
  read: (object: WireObject) => string | undefined,
): string | undefined {
  for (const object of objects) {
    const text = read(object);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The page of the market at Polymarket (docs/upstream.md, "Events and pages"). */
function publicUrl(eventSlug: string | undefined, slug: string | undefined): string | undefined {
  const ofMarket = slug === undefined ? '' : `/${encodeURIComponent(slug)}`;
  if (eventSlug !== undefined) return `${SITE}/event/${encodeURIComponent(eventSlug)}${ofMarket}`;
  return slug === undefined ? undefined : `${SITE}/market${ofMarket}`;
}

/** An address that web pages may link to: http or https only. */
function asWebAddress(value: unknown): string | undefined {
  const text = asText(value);
  return text !== undefined && /^https?:\/\//i.test(text) ? text : undefined;
}

/**
 * The prices of YES. In the record, bid, ask and last trade are those of the first outcome.
 *
 * @param outcomes how many outcomes there are
 */
function readPrices(record: WireObject, yesIndex: number, outcomes: number): CataloguePrices {
  const outcome = asPrice(asList(record.outcomePrices)?.[yesIndex]);
  const bid = priceUnless(0, record.bestBid);
  const ask = priceUnless(1, record.bestAsk);
  const lastTrade = priceUnless(0, record.lastTradePrice);
  if (yesIndex === 0) return definedFields<CataloguePrices>({ bid, ask, lastTrade, outcome });
  // With three or more outcomes, the book of YES does not follow from that of the first.
  if (outcomes > 2) return fieldIf('outcome', outcome);
  // With two outcomes, the books mirror each other: a bid of 0.4 is an ask of 0.6 for the other.
  return definedFields<CataloguePrices>({
    bid: complement(ask),
    ask: complement(bid),
    lastTrade: complement(lastTrade),
    outcome,
  });
}

/** A price, unless it has the value by which Gamma says that there is none. */
function priceUnless(none: 0 | 1, value: unknown): number | undefined {
  const price = asPrice(value);
  return price === none ? undefined : price;
}

/**
 * The price of the other outcome. Removes binary noise: prices have at most four decimals,
 * midpoints a few more.
 */
function complement(price: number | undefined): number | undefined {
  return price === undefined ? undefined : Number((1 - price).toFixed(8));
}
