import { ERROR_HEADERS } from '../../core/contract/headers.ts';
import { ROUTES } from '../../core/contract/route-table.ts';
import type { SiteFile, SiteFiles } from '../../core/contract/site-files.ts';
import type { Market } from '../../core/domain/market.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { EventSummary } from '../../core/query/market-events.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { Endpoint } from '../../http/pipeline.ts';
import { conditional, type HttpResponse } from '../../http/response.ts';
import type { SnapshotEndpointDeps } from '../../http/snapshot-response.ts';

type DocumentRoute = 'get-page' | 'get-docs';
type ShareRoute = 'get-market-page' | 'get-event-page';
export type SiteRoute = DocumentRoute | 'get-asset' | ShareRoute;

interface SiteDeps extends Pick<SnapshotEndpointDeps, 'snapshots'> {
  readonly files: SiteFiles;
  /** The address with the service's domain, for previews. If empty, that of the request. */
  readonly site: string;
  /** Whether the upstream is simulated: a preview then says so. */
  readonly simulated: boolean;
}

/** Browsers keep assets for a year, because an asset's name contains a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers revalidate documents. CloudFront shares one copy for `s-maxage` seconds. */
const DOCUMENT = 'public, max-age=0, s-maxage=30, must-revalidate';

/** A name in the path of a page: a slug of the upstream, or a condition id. */
const NAME = /^[\w.~-]{1,300}$/;
/** The part of the HTML that describes the page to other programs. */
const CARD = /<!-- card -->.*<!-- \/card -->/s;

/** The files of the market page, and the page with one market or event open. */
export const SITE_ENDPOINTS: { readonly [R in SiteRoute]: (deps: SiteDeps) => Endpoint<R> } = {
  'get-page': (deps) => documentEndpoint('get-page', deps),
  'get-docs': (deps) => documentEndpoint('get-docs', deps),
  'get-asset': assetEndpoint,
  'get-market-page': (deps) => shareEndpoint(deps, '/market/', marketCard),
  'get-event-page': (deps) => shareEndpoint(deps, '/event/', eventCard),
};

function documentEndpoint(
  route: DocumentRoute,
  { files, site }: SiteDeps,
): Endpoint<DocumentRoute> {
  return ({ headers, site: edge = '' }) => {
    const file = requireFile(files, ROUTES[route].path);
    return fileResponse(headers, { ...file, body: withSite(file.body, site || edge) }, DOCUMENT);
  };
}

function assetEndpoint({ files }: SiteDeps): Endpoint<'get-asset'> {
  return ({ parameters: { file: name }, headers }) => {
    const path = ROUTES['get-asset'].path.replace('{file}', () => name);
    return fileResponse(headers, requireFile(files, path), IMMUTABLE);
  };
}

/** @throws ServiceError `not_found` (404) */
function requireFile(files: SiteFiles, path: string): SiteFile {
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (!file) throw new ServiceError('not_found', 'The market page has no such file.');
  return file;
}

/**
 * The page of one market or event. Its title, description and preview texts come from the newest
 * snapshot. The page looks up other names itself; search engines omit them.
 */
function shareEndpoint(
  { files, site, simulated, snapshots }: SiteDeps,
  folder: string,
  cardOf: (snapshot: MarketSnapshot, slug: string) => Card | undefined,
): Endpoint<ShareRoute> {
  return async ({ parameters: { slug }, headers, site: edge = '' }) => {
    const address = site || edge;
    const page = files['/'];
    if (!page || !NAME.test(slug)) return notFoundPage();
    const snapshot = await snapshots.latest().catch(() => undefined);
    const found = snapshot && cardOf(snapshot, slug);
    const card = found && withOrigin(found, simulated);
    const general = (html: string) => `<meta name="robots" content="noindex">${html}`;
    const body = withSite(page.body, address).replace(CARD, (html) =>
      card
        ? cardHtml(card, `${address}${folder}${encodeURIComponent(card.name)}`, imagesOf(html))
        : general(html),
    );
    return fileResponse(headers, { ...page, body }, DOCUMENT);
  };
}

function fileResponse(
  requestHeaders: Readonly<Record<string, string>>,
  { type, body, base64 = false, contentSecurityPolicy }: SiteFile,
  cacheControl: string,
): HttpResponse {
  const policy = contentSecurityPolicy ? { 'Content-Security-Policy': contentSecurityPolicy } : {};
  const headers = { 'Content-Type': type, 'Cache-Control': cacheControl, ...policy };
  const response = conditional(requestHeaders, body, headers);
  return base64 && response.body !== '' ? { ...response, isBase64Encoded: true } : response;
}

const NOT_FOUND_HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Page not found · Prediction markets</title>
<style>
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.25rem; font: 1.05rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; }
</style>
<p>Prediction markets
<h1>There is no page here</h1>
<p>The link may be old or incomplete. <a href="/">Show all markets</a>, <a href="/docs">the API</a>.
</html>
`;

/**
 * The 404 of paths below `/market` and `/event`, for people. API Gateway sends JSON for all other
 * unknown paths.
 */
function notFoundPage(): HttpResponse {
  const headers = { ...ERROR_HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
  return { status: 404, body: NOT_FOUND_HTML, headers };
}

/** The HTML with whole addresses of its pictures, which previews need. */
function withSite(html: string, site: string): string {
  return html.replace(/(<meta property="og:image" content=")(?=\/)/, `$1${site}`);
}

/** The texts of a link preview. */
interface Card {
  /** In the address of the page. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

function marketCard(snapshot: MarketSnapshot, slug: string): Card | undefined {
  const position = snapshot.positionOf(slug);
  if (position === undefined) return undefined;
  const market: Market = snapshot.market(position);
  const { question, outcome, currentProbability, oneDayPriceChange, volume } = market;
  const price = `${outcome ? `${outcome}: ` : ''}${percent(currentProbability)}`;
  const change = oneDayPriceChange === null ? '' : `, ${changeInWords(oneDayPriceChange)}`;
  return {
    name: market.slug ?? market.id,
    title: `${question} ${price}`,
    description: `${price}${change}. ${dollars(volume)} volume`,
  };
}

function eventCard(snapshot: MarketSnapshot, slug: string): Card | undefined {
  const event = snapshot.events.bySlug.get(slug);
  if (!event) return undefined;
  const { title, topMarkets, volume, markets }: EventSummary = event.summary;
  const outcomes = topMarkets.map(
    ({ groupItemTitle, outcome, question, currentProbability }) =>
      `${groupItemTitle ?? outcome ?? question} ${percent(currentProbability)}`,
  );
  const size = `${markets === 1 ? 'One market' : `${markets} markets`}, ${dollars(volume)} volume`;
  return { name: slug, title, description: `${outcomes.join(', ')}. ${size}` };
}

/** Adds that the data is simulated, so that no reader takes an invented price for a real one. */
function withOrigin({ name, title, description }: Card, simulated: boolean): Card {
  return simulated
    ? { name, title: `Simulated: ${title}`, description: `${description}. All data is simulated.` }
    : { name, title, description: `${description} at Polymarket.` };
}

/** Rounds halves up, as the page does: 1.15 is 1.2, although its nearest double is smaller. */
function percent(value: number): string {
  return `${(Math.round(Number((value * 10).toFixed(6))) / 10).toFixed(1)}%`;
}

function changeInWords(points: number): string {
  const size = Math.abs(points).toFixed(1);
  return size === '0.0' ? 'unchanged today' : `${points > 0 ? 'up' : 'down'} ${size} points today`;
}

function dollars(value: number): string {
  return `$${new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)}`;
}

/** The tags of the page's pictures, which do not depend on the market. */
function imagesOf(html: string): string {
  return (html.match(/<meta property="og:image[^>]*>/g) ?? []).join('');
}

function cardHtml({ title, description }: Card, address: string, images: string): string {
  const texts = {
    'og:title': title,
    'og:description': description,
    'og:type': 'website',
    'og:url': address,
  };
  return [
    `<title>${escaped(title)} · Prediction markets</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${escaped(address)}">`,
    ...Object.entries(texts).map(
      ([name, text]) => `<meta property="${name}" content="${escaped(text)}">`,
    ),
    images,
  ].join('\n    ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text for an element or attribute of HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
