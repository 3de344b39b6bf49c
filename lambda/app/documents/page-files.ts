import { NOT_FOUND_HTML } from '../../core/contract/errors.ts';
import { ERROR_HEADERS } from '../../core/contract/headers.ts';
import { ROUTES } from '../../core/contract/route-table.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { conditional, type HttpResponse } from '../http/response.ts';

export type PageRoute = 'get-page' | 'get-docs' | 'get-asset';
export const PAGE_ROUTE_NAMES: readonly PageRoute[] = ['get-page', 'get-docs', 'get-asset'];

/** By path, such as `/` and `/assets/page-3f9a1c20.js`. */
export type PageFiles = Readonly<Record<string, PageFile>>;
export interface PageFile {
  /** `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** Whether `body` is base64: a picture. */
  readonly base64?: boolean;
  /** Value of `Content-Security-Policy`; HTML only. */
  readonly contentSecurityPolicy?: string;
}

/** An asset's name contains a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Browsers revalidate documents. CloudFront shares one copy for `s-maxage` seconds. */
const DOCUMENT = 'public, max-age=0, s-maxage=30, must-revalidate';

export function getPage(route: PageRoute, files: PageFiles): Endpoint<PageRoute> {
  return ({ parameters, headers }) => {
    const { file: name = '' }: { readonly file?: string } = parameters;
    const path = ROUTES[route].path.replace('{file}', () => name);
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (!file) throw new ServiceError('not_found', 'The market page has no such file.');
    return documentResponse(headers, file, route === 'get-asset' ? IMMUTABLE : DOCUMENT);
  };
}

export function documentResponse(
  requestHeaders: Readonly<Record<string, string>>,
  { type, body, base64 = false, contentSecurityPolicy }: PageFile,
  cacheControl = DOCUMENT,
): HttpResponse {
  const headers = {
    'Content-Type': type,
    'Cache-Control': cacheControl,
    ...(contentSecurityPolicy ? { 'Content-Security-Policy': contentSecurityPolicy } : {}),
  };
  const response = conditional(requestHeaders, body, headers);
  return base64 && response.body !== '' ? { ...response, isBase64Encoded: true } : response;
}

/** A path that looks like one of the page's: the reader gets a way back. */
export function notFoundPage(): HttpResponse {
  const headers = { ...ERROR_HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
  return { status: 404, body: NOT_FOUND_HTML, headers };
}

/** The pages with the address of the service, which the pictures of previews need. @param site empty if it is unknown */
export function withSite(files: PageFiles, site: string): PageFiles {
  const completed = ([path, file]: readonly [string, PageFile]) =>
    [path, { ...file, body: file.body.replace(/(<meta property="og:image" content=")(?=\/)/, `$1${site}`) }] as const;
  return Object.fromEntries(Object.entries(files).map((entry) => (entry[0] === '/' ? completed(entry) : entry)));
}
