import { RETRY_AFTER_SECONDS } from './constants.ts';

/** Response headers that a browser page may read beside the ones it always can (design 2). */
export const EXPOSED_HEADERS = [
  'ETag',
  'Link',
  'X-Total-Count',
  'X-Search-Match',
  'X-Data-Source',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
] as const;

/** Methods of every endpoint; all others get 405 and this list in `Allow`. */
export const ALLOWED_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const;

/** Headers of a request that the Model Context Protocol reads. */
export const MCP_HEADERS = ['Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] as const;

/** Revisions of the protocol that a request is told by its header; a newer one is told by the message itself, too. */
export const MCP_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** On every response, whichever layer makes it. */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** How long a browser may remember a preflight; browsers cap it at two hours or less. */
export const PREFLIGHT_KEPT_SECONDS = 7_200;

/** The whole response to a preflight. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': ALLOWED_METHODS.join(','),
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
  'Access-Control-Max-Age': String(PREFLIGHT_KEPT_SECONDS),
} as const;

/** On every error response besides. */
export const ERROR_HEADERS = { 'Cache-Control': 'no-store' } as const;

/** On every 429 besides. */
export const RETRY_HEADERS = { 'Retry-After': String(RETRY_AFTER_SECONDS) } as const;

/**
 * How the entries of a search were found, as X-Search-Match says: everything in the categories that the query names,
 * what holds all its words, or, since nothing does, what holds any of them.
 */
export const SEARCH_MATCHES = ['category', 'all', 'any'] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];
