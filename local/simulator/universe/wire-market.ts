/**
 * The simulated markets in the form of Gamma, Polymarket's catalogue. It has many oddities: JSON in
 * texts, absent fields, old and new names of one thing.
 */
import type { Resolution, SimulatedMarket, WireObject } from '../market.ts';
import { hashText } from '../random.ts';
import { DAY_MS, isoDate } from './dates.ts';
import { type GeneratedEvent, type MarketDraft, readData } from './topics.ts';

/**
 * The ways in which a market can be unusual, and the share of the markets that are. The share of
 * `decoyPositions` was measured (docs/upstream.md), the others are assumed.
 */
export const ODDITIES = {
  outcomesAbsent: 0.004,
  noEndDate: 0.05,
  /** Neither the market nor its event has an end date. */
  noEndAtAll: 0.01,
  /** No `outcomePrices` yet. */
  placeholder: 0.02,
  /** The book has no side. Histories then show 0.5. */
  emptyBook: 0.02,
  noOrderBook: 0.02,
  /** The outcomes are "No" and "Yes", in this order. */
  noFirst: 0.05,
  unknownVersion: 0.01,
  withoutVersion: 0.03,
  /** Upstream has not published the token ids yet. */
  pendingIds: 0.02,
  /** A v1 market with `positionIds`, or a v2 market with `clobTokenIds`, without a book. */
  decoyPositions: 0.36,
  decoyTokens: 0.1,
  /** Gamma, too, pads the v2 condition id to 64 digits. */
  padded: 0.4,
  outerSpaces: 0.02,
} as const;
/** Which oddities a market has. */
export type Oddities = Readonly<Record<keyof typeof ODDITIES, boolean>>;

/** A simulated market, and what else Gamma's form of it shows. */
interface WireParts extends Omit<SimulatedMarket, 'wire'> {
  readonly event: GeneratedEvent;
  readonly draft: MarketDraft;
  readonly odd: Oddities;
  readonly endDate: string | undefined;
  /** The fields with the market's ids. */
  readonly record: WireObject & { readonly clobTokenIds: readonly string[] | null | undefined };
}

/** Gamma's fields that are equal in all simulated markets. */
const SAME_FIELDS = readData('market-fields.json') as WireObject;
const IMAGES = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/';
/** Long, because real markets have kilobytes of such texts, which the service must parse. */
const RULES =
  'If the outcome is not known by the end date, this market remains open until it is. If the matter is cancelled altogether, this market will resolve 50-50.\n\nThe primary resolution source is official information of the bodies concerned; a consensus of credible reporting may also be used.';
/** One market in this many has no rules. */
const WITHOUT_RULES_EVERY = 100;
/** One event in this many has a resolution source. */
const WITH_SOURCE_EVERY = 3;
const CONTEXT = `**Generated text in place of upstream’s context.** ${'Traders weigh recent reports against comparable cases, and the price follows what they are ready to pay. '.repeat(12)}`;

/** A tag in Gamma's form. */
function wireTag(slug: string): WireObject {
  return {
    id: String(100_000 + (hashText(slug) % 90_000)),
    label: slug.replaceAll('-', ' '),
    slug,
  };
}

/**
 * A market in Gamma's raw form: some fields are JSON as text, amounts are texts and numbers, and
 * empty, zero or unknown fields are absent.
 */
export function wireMarket(market: WireParts, atMs: number, includeTags: boolean): WireObject {
  const { event, draft, odd, units } = market;
  const [first, second] = draft.outcomes;
  const created = isoDate(market.createdAt);
  const resolution = market.resolution(atMs);
  const isResolved = resolution?.status === 'resolved';
  const price = isResolved ? resolution.payouts[0] : market.price(atMs);
  const prices = [price, 1 - price].map((value) => String(Number(value.toFixed(6))));
  const volume = market.volume(atMs);
  const isReversed = odd.noFirst && first === 'Yes';
  return {
    id: market.id,
    question: odd.outerSpaces ? ` ${draft.question}  ` : draft.question,
    slug: market.slug,
    ...SAME_FIELDS,
    ...market.record,
    endDate: market.endDate,
    startDate: created,
    createdAt: created,
    updatedAt: isoDate(atMs),
    image: `${IMAGES}${market.slug}.jpg`,
    ...rulesOf(market),
    outcomes: textOf(odd, isReversed ? [second, first] : [first, second]),
    outcomePrices: odd.placeholder ? undefined : textOf(odd, prices),
    clobTokenIds: market.record.clobTokenIds && textOf(odd, market.record.clobTokenIds),
    volume: known(volume)?.toString(),
    volumeNum: known(volume),
    volume24hr: known(volume - market.volume(atMs - DAY_MS)),
    liquidity: known(market.liquidity)?.toString(),
    liquidityNum: known(market.liquidity),
    groupItemTitle: draft.group,
    enableOrderBook: market.hasPrices,
    acceptingOrders: market.hasPrices && atMs < market.endsAt,
    orderPriceMinTickSize: 1 / units,
    negRisk: market.negRisk,
    ...(market.version === 'v2'
      ? { resolutionStatus: isResolved ? 'resolved' : 'active' }
      : statusesOf(resolution)),
    // An open market has no resolution.
    ...(resolution ? { closed: true, closedTime: closedTime(market.closesAt) } : {}),
    ...quoteFields(market, atMs),
    events: [wireEvent(event, odd.noEndAtAll)],
    tags: includeTags ? event.tags.map(wireTag) : undefined,
  };
}

/** The rules of a market, and their source. Most markets have no source; a few have no rules. */
function rulesOf({ slug, event, draft }: WireParts): WireObject {
  if (hashText(slug) % WITHOUT_RULES_EVERY === 0) return {};
  const [first, second] = draft.outcomes;
  return {
    description: `This market will resolve to "${first}" if what the question asks (${draft.question}) happens by the end date. Otherwise, this market will resolve to "${second}".\n\n${RULES}`,
    ...(hashText(event.slug) % WITH_SOURCE_EVERY === 0 && {
      resolutionSource: `https://example.org/${event.slug}`,
    }),
  };
}

/** The fields for the state of the resolution, as markets of Protocol V1 have them. */
function statusesOf(resolution: Resolution | undefined): WireObject {
  if (!resolution) return { umaResolutionStatuses: '[]' };
  const statuses = resolution.status === 'resolved' ? ['proposed', 'resolved'] : ['proposed'];
  return { umaResolutionStatus: statuses.at(-1), umaResolutionStatuses: JSON.stringify(statuses) };
}

/** Gamma's form of the closing time: `2026-06-04 00:34:19+00`. */
function closedTime(ms: number): string {
  return isoDate(ms).replace('T', ' ').replace('Z', '+00');
}

/** The prices of the first outcome. Gamma omits an empty bid; an empty ask is 1. */
function quoteFields(market: WireParts, atMs: number): WireObject {
  const { units } = market;
  const { bid, ask } = market.quote(atMs);
  if (!market.hasPrices) return {};
  const trade = { lastTradePrice: market.lastTrade(atMs) };
  if (atMs >= market.closesAt) return trade;
  return {
    ...trade,
    spread: known(((ask ?? units) - (bid ?? 0)) / units),
    bestBid: bid === null ? undefined : bid / units,
    bestAsk: (ask ?? units) / units,
    oneDayPriceChange: known(market.price(atMs) - market.price(atMs - DAY_MS)),
  };
}

/** The market's event in Gamma's form. */
function wireEvent(event: GeneratedEvent, noEnd: boolean): WireObject {
  const { id, slug, title, negRisk } = event;
  const { active, closed, archived, restricted } = SAME_FIELDS;
  return {
    id,
    ticker: slug,
    slug,
    title,
    description: `This is a market group on: ${title}.\n\n${RULES}`,
    startDate: isoDate(event.createdAt),
    endDate: noEnd ? undefined : isoDate(event.endsAt),
    image: `${IMAGES}${slug}.jpg`,
    active,
    closed,
    archived,
    restricted,
    negRisk,
    eventMetadata: { context_description: CONTEXT },
    version: event.v2 ? 'v2' : 'v1',
  };
}

/** An amount, or undefined for 0: upstream omits zero. */
function known(value: number): number | undefined {
  return Number(value.toFixed(6)) || undefined;
}

/** A list as JSON text, spaced as upstream writes it; undefined if the market lacks outcomes. */
function textOf(odd: Oddities, values: readonly string[]): string | undefined {
  if (odd.outcomesAbsent) return undefined;
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
