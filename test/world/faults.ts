// The faults that a route of the simulated Polymarket can have for a while, and what its calls
// give.

import type { UpstreamErrorDetails } from '../../lambda/io/upstream/upstream-error.ts';

/** The routes that can have a fault. */
export const FAULTY_ROUTES = [
  'prices',
  'last-trades-prices',
  'markets-keyset',
  'batch-prices-history',
] as const;

/** What any of these routes does during a fault. */
export const FAULT_KINDS = [
  'error', // 500
  'busy', // 429 with Retry-After: 60
  'forbidden', // 403 with HTML
  'hang',
  'slow', // 3 to 8 s
  'empty', // 200 with an empty list or object
  'partial', // 200 without a share of the entries; a page loses its cursor, too
] as const;

/** What only the catalogue, `markets-keyset`, does: its pages are not the whole list. */
export const CATALOGUE_KINDS = [
  'hidden', // 200 without a share of the markets, always the same ones
  'unsorted', // 200 in an order that has nothing to do with volumes
  'looping', // 200 with a cursor that leads back to the first page
] as const;

/** For example, every second call of `/prices` fails: `route: 'prices', kind: 'error', share: 0.5`. */
export interface Fault {
  readonly route: (typeof FAULTY_ROUTES)[number];
  readonly kind: (typeof FAULT_KINDS)[number] | (typeof CATALOGUE_KINDS)[number];
  /** Unix ms. */
  readonly from: number;
  readonly until: number;
  /** The share of the calls that fail, or with `hidden` the share of the markets. */
  readonly share: number;
}

/** How pages of the catalogue with the status 200 are wrong. */
export type PageFault = Pick<Fault, 'kind' | 'share'>;

/** Whether pages of the catalogue with this fault have the status 200 and look right. */
export function isPageFault({ kind }: PageFault): boolean {
  return kind === 'partial' || CATALOGUE_KINDS.some((one) => one === kind);
}

/** What the network gives for one call. */
export interface Answer {
  /** How long the call takes. Infinity: the network never answers. */
  readonly ms: number;
  /** Undefined for a success. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly failure?: UpstreamErrorDetails['failure'] | undefined;
  /** Made when the answer leaves upstream. */
  readonly body: () => unknown;
  /** The response header `Age`. */
  readonly ageMs?: number;
}

/** The answer of a call that fails. Undefined if the fault leaves a response with content. */
export function failureOf(
  route: string,
  kind: Fault['kind'] | undefined,
  ms: number,
): Answer | undefined {
  const body = () => ({ error: 'failed' });
  switch (kind) {
    case 'error':
      return { ms, status: 500, body };
    case 'busy':
      return { ms, status: 429, retryAfterMs: 60_000, body };
    case 'forbidden':
      return { ms, status: 403, body };
    case 'hang':
      return { ms: Number.POSITIVE_INFINITY, body };
    case 'empty':
      return { ms, body: () => (route === 'last-trades-prices' ? [] : {}) };
    default:
      return undefined;
  }
}
