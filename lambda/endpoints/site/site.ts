/**
 * The endpoints of the market page, a web site: its files, and the page with one market or event
 * open. If somebody shares the address of such a market or event, other programs show a preview of
 * it (card): title, price and picture.
 */
import { ERRORS } from '../../core/contract/errors.ts';
import { NOT_FOUND_HTML, NOT_FOUND_PAGE_HEADERS } from '../../core/contract/not-found-page.ts';
import { ROUTES } from '../../core/contract/route-table.ts';
import type { SiteFile, SiteFiles } from '../../core/contract/site-files.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { conditional, type HttpResponse } from '../../http/response.ts';
import type { SnapshotEndpointDeps } from '../../http/snapshot-response.ts';
import { type Card, cardHtml, eventCard, marketCard, withOrigin } from './link-preview.ts';

type DocumentRoute = 'get-page' | 'get-docs';
/** The pages of one market and of one event, whose addresses people share. */
type ShareRoute = 'get-market-page' | 'get-event-page';
export type SiteRoute = DocumentRoute | 'get-asset' | ShareRoute;

/** What the endpoints use. */
interface SiteDeps extends Pick<SnapshotEndpointDeps, 'snapshots'> {
  readonly files: SiteFiles;
  /** The address of the service's own domain, for previews. If empty, that of the request. */
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
/** The part of the page's HTML that describes it to other programs, between two comments. */
const CARD = /<!-- card -->.*<!-- \/card -->/s;

/** Makes the endpoint of each route. */
export const SITE_ENDPOINTS: { readonly [R in SiteRoute]: (deps: SiteDeps) => Endpoint<R> } = {
  'get-page': (deps) => documentEndpoint('get-page', deps),
  'get-docs': (deps) => documentEndpoint('get-docs', deps),
  'get-asset': assetEndpoint,
  'get-market-page': (deps) => shareEndpoint(deps, '/market/', marketCard),
  'get-event-page': (deps) => shareEndpoint(deps, '/event/', eventCard),
};

/** An HTML file of the page. */
function documentEndpoint(
  route: DocumentRoute,
  { files, site }: SiteDeps,
): Endpoint<DocumentRoute> {
  return ({ headers, site: requestSite = '' }) => {
    const file = requireFile(files, ROUTES[route].path);
    const body = withImageAddresses(file.body, site || requestSite);
    return fileResponse(headers, { ...file, body }, DOCUMENT);
  };
}

/** A script, style or picture of the page. */
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
 * snapshot. If that lacks the name, the page looks it up itself, and search engines omit the page.
 */
function shareEndpoint(
  { files, site, simulated, snapshots }: SiteDeps,
  folder: string,
  cardOf: (snapshot: MarketSnapshot, slug: string) => Card | undefined,
): Endpoint<ShareRoute> {
  return async ({ parameters: { slug }, headers, site: requestSite = '' }) => {
    const page = files['/'];
    if (!page || !NAME.test(slug)) return notFoundPage();
    const usedSite = site || requestSite;
    // Without a snapshot, the page is served without a preview of its own.
    const snapshot = await snapshots.latest().catch(() => undefined);
    const card = snapshot && cardOf(snapshot, slug);
    const body = withImageAddresses(page.body, usedSite).replace(CARD, (html) => {
      if (!card) return `<meta name="robots" content="noindex">${html}`;
      const address = `${usedSite}${folder}${encodeURIComponent(card.name)}`;
      return cardHtml(withOrigin(card, simulated), address, imagesOf(html));
    });
    return fileResponse(headers, { ...page, body }, DOCUMENT);
  };
}

/** A file with its headers, or a 304. API Gateway decodes the base64 of a picture. */
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

/** The 404 of an impossible name below `/market` and `/event`. */
function notFoundPage(): HttpResponse {
  return { status: ERRORS.not_found.status, body: NOT_FOUND_HTML, headers: NOT_FOUND_PAGE_HEADERS };
}

/** The HTML with whole addresses of its pictures, which previews need. */
function withImageAddresses(html: string, site: string): string {
  return html.replace(/(<meta property="og:image" content=")(?=\/)/, `$1${site}`);
}

/** The tags of the page's pictures, which do not depend on the market. */
function imagesOf(html: string): string {
  return (html.match(/<meta property="og:image[^>]*>/g) ?? []).join('');
}
