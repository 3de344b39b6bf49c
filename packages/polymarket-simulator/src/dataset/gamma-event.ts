import type { WireMarket } from '../source.ts';
import { dateText, round } from './dates.ts';
import type { EventFacts } from './event-facts.ts';
import { TAGS } from './tags.ts';

export const IMAGE = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/';
/** Real markets carry kilobytes of such text; a page of 100 must weigh what a reader of upstream has to parse. */
export const RULES =
  'If the outcome is not known by the end date, this market remains open until it is; if the matter is cancelled altogether, this market will resolve 50-50.\n\nThe primary resolution source for this market is official information of the bodies concerned; however, a consensus of credible reporting may also be used. “Official” means published by the body itself, not quoted by others.';
const CONTEXT = `**Generated text in place of upstream’s context.** ${'Traders weigh recent reports against what happened in comparable cases, and the price follows what they are ready to pay. '.repeat(8)}`;

/** What an event knows of its markets. */
export interface EventSummary {
  /** Ms. */
  readonly createdAt: number;
  /** USD. */
  readonly volume: number;
  readonly volume24hr: number;
  readonly liquidity: number;
  /** No market is open. */
  readonly closed: boolean;
  /** The protocol version of its first market. */
  readonly version: string | undefined;
}

/** An event as Gamma writes it; unlike a market's, its amounts are numbers. `markets` is for the caller to add. */
export function wireEvent(event: EventFacts, summary: EventSummary): WireMarket {
  const created = dateText(summary.createdAt, 6, event.index);
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: `This is a market group on: ${event.title}.\n\n${RULES}`,
    startDate: created,
    creationDate: created,
    endDate: event.endDate,
    image: `${IMAGE}${event.slug}.jpg`,
    icon: `${IMAGE}${event.slug}.jpg`,
    active: true,
    closed: summary.closed,
    archived: event.unlisted,
    new: false,
    featured: false,
    restricted: true,
    liquidity: orNothing(round(summary.liquidity, 5)),
    volume: orNothing(round(summary.volume, 6)),
    createdAt: created,
    volume24hr: orNothing(round(summary.volume24hr, 6)),
    enableOrderBook: true,
    negRisk: event.negRisk,
    commentCount: event.index % 997,
    showAllOutcomes: true,
    eventMetadata: { context_description: CONTEXT, context_requires_regen: true },
    version: summary.version,
  };
}

export function wireTag(slug: string): WireMarket {
  const { id, label } = TAGS[slug] ?? { id: slug, label: slug };
  return {
    id,
    label,
    slug,
    forceShow: false,
    updatedAt: '2026-04-17T20:39:54.201881Z',
    requiresTranslation: false,
  };
}

/** Zero is left out, as upstream does. */
export function orNothing(value: number): number | undefined {
  return value === 0 ? undefined : value;
}
