import type { SimulatedMarket, WireObject } from '../market.ts';
import { middle } from '../prices.ts';
import { hashText } from '../random.ts';
import { DAY_MS, isoDate } from './dates.ts';
import type { Oddities } from './oddities.ts';
import { type GeneratedEvent, type MarketDraft, readData } from './topics.ts';

/** What a generated market is written from. */
export interface WireParts extends Omit<SimulatedMarket, 'wire'> {
  readonly event: GeneratedEvent;
  readonly draft: MarketDraft;
  readonly odd: Oddities;
  /** Version and ids as Gamma writes them. */
  readonly record: WireObject & { readonly clobTokenIds: readonly string[] | null | undefined };
}

/** The fields that have the same value in all markets. */
const SAME = readData('market-fields.json') as WireObject;
const IMAGES = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/';
/** Real markets carry kilobytes of such texts, and readers of a page of 100 markets have to parse them. */
const RULES =
  'If the outcome is not known by the end date, this market remains open until it is. If the matter is cancelled altogether, this market will resolve 50-50.\n\nThe primary resolution source is official information of the bodies concerned; a consensus of credible reporting may also be used.';
const CONTEXT = `**Generated text in place of upstream’s context.** ${'Traders weigh recent reports against comparable cases, and the price follows what they are ready to pay. '.repeat(12)}`;
const CAPITALS = ['ai', 'atp', 'epl', 'f1', 'nba', 'nfl', 'nhl', 'us'];

function wireTag(slug: string): WireObject {
  const words = slug.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return {
    id: String(100_000 + (hashText(slug) % 90_000)),
    label: CAPITALS.includes(slug) ? slug.toUpperCase() : words,
    slug,
  };
}

/**
 * A market in Gamma's raw form. Some fields hold JSON as text, amounts come as texts and as numbers, and what is empty,
 * zero or unknown is left out.
 */
export function wireMarket(market: WireParts, atMs: number, includeTags: boolean): WireObject {
  const { event, draft, odd, units } = market;
  const [first, second] = draft.outcomes;
  const created = isoDate(market.createdAt);
  const price = middle(market.quote(atMs), units);
  const endDate = market.endDate === '' ? undefined : market.endDate;
  return {
    id: market.id,
    question: odd.outerSpaces ? ` ${draft.question}  ` : draft.question,
    slug: market.slug,
    ...SAME,
    ...market.record,
    endDate,
    startDate: created,
    createdAt: created,
    updatedAt: isoDate(atMs),
    image: `${IMAGES}${market.slug}.jpg`,
    description: `This market will resolve to "${first}" if what the question asks (${draft.question}) happens by the end date. Otherwise, this market will resolve to "${second}".\n\n${RULES}`,
    outcomes: textOf(odd, odd.noSecond && first === 'Yes' ? [second, first] : [first, second]),
    outcomePrices: odd.placeholder
      ? undefined
      : textOf(
          odd,
          [price, 1 - price].map((value) => String(Number(value.toFixed(6)))),
        ),
    clobTokenIds: market.record.clobTokenIds && textOf(odd, market.record.clobTokenIds),
    volume: known(market.volume)?.toString(),
    volumeNum: known(market.volume),
    volume24hr: known(market.volume24hr),
    liquidity: known(market.liquidity)?.toString(),
    liquidityNum: known(market.liquidity),
    groupItemTitle: draft.group,
    enableOrderBook: market.hasBook,
    acceptingOrders: market.hasBook,
    orderPriceMinTickSize: 1 / units,
    negRisk: market.negRisk,
    umaResolutionStatuses: market.version === 'v2' ? undefined : '[]',
    resolutionStatus: market.version === 'v2' ? 'active' : undefined,
    ...quoteFields(market, atMs),
    events: [wireEvent(event, odd.noEndAtAll)],
    tags: includeTags ? event.tags.map(wireTag) : undefined,
  };
}

/** Prices of the first outcome. An empty bid is left out, an empty ask is 1. */
function quoteFields(market: WireParts, atMs: number): WireObject {
  const { units } = market;
  const { bid, ask } = market.quote(atMs);
  if (!market.hasBook) return {};
  const dayAgo = middle(market.quote(atMs - DAY_MS), units);
  return {
    spread: known(((ask ?? units) - (bid ?? 0)) / units),
    bestBid: bid === null ? undefined : bid / units,
    bestAsk: (ask ?? units) / units,
    lastTradePrice: market.lastTrade(atMs),
    oneDayPriceChange: known(middle({ bid, ask }, units) - dayAgo),
  };
}

function wireEvent(event: GeneratedEvent, noEnd: boolean): WireObject {
  const { id, slug, title, negRisk } = event;
  const { active, closed, archived, restricted } = SAME;
  return {
    id,
    ticker: slug,
    slug,
    title,
    description: `This is a market group on: ${title}.\n\n${RULES}`,
    startDate: isoDate(event.createdAt),
    endDate: noEnd ? undefined : isoDate(event.endsAt),
    image: `${IMAGES}${slug}.jpg`,
    ...{ active, closed, archived, restricted, negRisk },
    eventMetadata: { context_description: CONTEXT },
    version: event.v2 ? 'v2' : 'v1',
  };
}

/** Zero is left out, as upstream does. */
function known(value: number): number | undefined {
  return Number(value.toFixed(6)) || undefined;
}

/** A JSON array of strings as text, spaced as upstream writes it; or nothing. */
function textOf(odd: Oddities, values: readonly string[]): string | null | undefined {
  if (odd.outcomesAbsent) return undefined;
  if (odd.outcomesNull) return null;
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
