import { ROUTES } from '../../core/contract/route-table.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { conditional, contentEtag } from '../http/response.ts';

export type PageRoute = 'get-page' | 'get-docs' | 'get-asset';
export const PAGE_ROUTE_NAMES: readonly PageRoute[] = ['get-page', 'get-docs', 'get-asset'];

/** By path, such as `/` and `/assets/page-3f9a1c20.js`. */
export type PageFiles = Readonly<Record<string, PageFile>>;
export interface PageFile {
  /** `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** `Content-Security-Policy`; HTML only. */
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
    const { type, body, contentSecurityPolicy } = file;
    const cacheControl = route === 'get-asset' ? IMMUTABLE : DOCUMENT;
    const fileHeaders = {
      'Content-Type': type,
      'Cache-Control': cacheControl,
      ...(contentSecurityPolicy ? { 'Content-Security-Policy': contentSecurityPolicy } : {}),
    };
    return conditional(headers, { etag: contentEtag(body) }, fileHeaders, body);
  };
}
