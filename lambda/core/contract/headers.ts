/** The names and values of HTTP headers that the functions, CloudFront and API Gateway share. */
import { RETRY_AFTER_SECONDS } from './constants.ts';

/** The response headers that web pages of other origins can read, besides those of CORS itself. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Link',
  'X-Total-Count',
  'X-Search-Match',
  'X-Snapshot-Id',
  'X-Catalogue-As-Of',
  'X-Fidelity-Minutes',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
] as const;

/** The methods of an endpoint that is read with GET, and of preflight responses. */
export const ALLOWED_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const;

/** The request headers that the MCP endpoint reads. */
export const MCP_HEADERS = [
  'Content-Type',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
] as const;

/** Every response has these headers, including API Gateway's own. */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** A browser may keep a preflight response for this long. Browsers accept two hours at most. */
export const PREFLIGHT_TTL_SECONDS = 7_200;

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': ALLOWED_METHODS.join(','),
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
  'Access-Control-Max-Age': String(PREFLIGHT_TTL_SECONDS),
} as const;

/**
 * CloudFront's viewer function sets these headers on every request, whatever the viewer sends. The
 * Lambda functions trust them only on requests with the API key that CloudFront adds.
 */
export const EDGE_HEADERS = {
  /** The address of the viewer, by which the functions count. */
  viewerAddress: 'x-viewer-ip',
  /** The viewer's IPv4 address or IPv6 /64 network, by which the web ACL counts. */
  viewerNetwork: 'x-viewer-network',
  /** The address of the service, for link previews: `https://d111111abcdef8.cloudfront.net`. */
  site: 'x-site',
} as const;

/** The `Cache-Control` of errors and of responses that change with every call. */
export const NO_STORE = 'no-store';
export const ERROR_HEADERS = { 'Cache-Control': NO_STORE } as const;

/** Every 429 has this header, and so has the 500 of a Lambda function that cannot be invoked. */
export const RETRY_HEADERS = { 'Retry-After': String(RETRY_AFTER_SECONDS) } as const;

/**
 * The values of `X-Search-Match`, which says what the found entries match: the categories that the
 * query names, all its words, or any of them if no entry has all.
 */
export const SEARCH_MATCHES = ['category', 'all', 'any'] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];
