import type { Market } from '../../core/domain/market.ts';
import { escaped } from '../../core/query/feed.ts';
import type { EventSummary } from '../../core/query/market-events.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { Endpoint } from '../http/pipeline.ts';
import type { SnapshotEndpointDeps } from '../http/response.ts';
import { documentResponse, notFoundPage, type PageFiles } from './page-files.ts';

export type SharePageRoute = 'get-market-page' | 'get-event-page';
export const SHARE_PAGE_ROUTE_NAMES: readonly SharePageRoute[] = ['get-market-page', 'get-event-page'];

/** A slug of the upstream, or a condition id. */
const NAME = /^[\w.~-]{1,300}$/;
/** The part that describes the page to other programs. */
const CARD = /<!-- card -->.*<!-- \/card -->/s;
const PATHS = { 'get-market-page': '/market/', 'get-event-page': '/event/' } as const;

/** For a link preview. */
interface Card {
  readonly title: string;
  readonly description: string;
}

/**
 * A market's or event's page: the market page with title, description and preview texts from the newest snapshot. The
 * page looks up other names itself; search engines omit them.
 *
 * @param site address of the service, or empty if unknown
 */
export function getSharePage(
  route: SharePageRoute,
  files: PageFiles,
  site: string,
  { snapshots }: Pick<SnapshotEndpointDeps, 'snapshots'>,
): Endpoint<SharePageRoute> {
  return async ({ parameters: { slug }, headers }) => {
    const page = files['/'];
    if (!page || !NAME.test(slug)) return notFoundPage();
    const snapshot = await snapshots.latest().catch(() => undefined);
    const card = snapshot && cardOf(route, snapshot, slug);
    const general = (html: string) => `<meta name="robots" content="noindex">${html}`;
    const address = `${site}${PATHS[route]}${card?.name ?? slug}`;
    const body = page.body.replace(CARD, (html) => (card ? cardHtml(card, address, imagesOf(html)) : general(html)));
    return documentResponse(headers, { ...page, body });
  };
}

function cardOf(route: SharePageRoute, snapshot: MarketSnapshot, slug: string) {
  if (route === 'get-event-page') {
    const event = snapshot.events.bySlug.get(slug);
    return event && { name: slug, ...eventCard(event.summary) };
  }
  const position = snapshot.positionOf(slug);
  if (position === undefined) return undefined;
  const market = snapshot.market(position);
  return { name: market.slug ?? market.id, ...marketCard(market) };
}

function marketCard({ question, outcome, currentProbability, oneDayPriceChange, volume }: Market): Card {
  const price = `${outcome ? `${outcome}: ` : ''}${percent(currentProbability)}`;
  const change = oneDayPriceChange === null ? '' : `, ${changeInWords(oneDayPriceChange)}`;
  return {
    title: `${question} ${price}`,
    description: `${price}${change}. ${dollars(volume)} volume at Polymarket.`,
  };
}

function eventCard({ title, topMarkets, volume, markets }: EventSummary): Card {
  const outcomes = topMarkets.map(
    ({ groupItemTitle, outcome, question, currentProbability }) =>
      `${groupItemTitle ?? outcome ?? question} ${percent(currentProbability)}`,
  );
  const size = `${markets === 1 ? 'One market' : `${markets} markets`}, ${dollars(volume)} volume at Polymarket.`;
  return { title, description: `${outcomes.join(', ')}. ${size}` };
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}

function changeInWords(points: number): string {
  const size = Math.abs(points).toFixed(1);
  return size === '0.0' ? 'unchanged today' : `${points > 0 ? 'up' : 'down'} ${size} points today`;
}

function dollars(value: number): string {
  return `$${new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)}`;
}

/** The pictures of the page do not depend on the market. */
function imagesOf(html: string): string {
  return (html.match(/<meta property="og:image[^>]*>/g) ?? []).join('');
}

function cardHtml({ title, description }: Card, address: string, images: string): string {
  const texts = { 'og:title': title, 'og:description': description, 'og:type': 'website', 'og:url': address };
  return [
    `<title>${escaped(title)} · Prediction markets</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${escaped(address)}">`,
    ...Object.entries(texts).map(([name, text]) => `<meta property="${name}" content="${escaped(text)}">`),
    images,
  ].join('\n    ');
}
