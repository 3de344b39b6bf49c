/** The routes that can have a fault. */
export const FAULTY_ROUTES = [
  'prices',
  'last-trades-prices',
  'markets-keyset',
  'batch-prices-history',
] as const;
type FaultyRoute = (typeof FAULTY_ROUTES)[number];

/** What a route does during a fault. */
export const FAULT_KINDS = [
  'error', // 500
  'busy', // 429 with Retry-After: 60
  'forbidden', // 403 with HTML
  'hang',
  'slow', // 3 to 8 s
  'empty', // 200 with an empty list or object
  'partial', // 200 without a share of the entries; a page loses its cursor, too
] as const;

/** What the catalogue does while its pages are not the whole list. */
export const CATALOGUE_KINDS = [
  'hidden', // 200 without a share of the markets, always the same ones
  'unsorted', // 200 in an order that has nothing to do with volumes
  'looping', // 200 with a cursor that leads back to the first page
] as const;

/** A time in Unix ms in which a route does not do what it should. */
export interface Fault {
  readonly route: FaultyRoute;
  readonly kind: (typeof FAULT_KINDS)[number] | (typeof CATALOGUE_KINDS)[number];
  readonly from: number;
  readonly until: number;
  /** The share of the calls that fail, or with `hidden` the share of the markets. */
  readonly share: number;
}

/** Faults whose responses have the status 200 and look right. */
export const LIES: readonly Pick<Fault, 'route' | 'kind' | 'share'>[] = [
  { route: 'prices', kind: 'partial', share: 1 },
  { route: 'last-trades-prices', kind: 'empty', share: 1 },
  { route: 'markets-keyset', kind: 'partial', share: 1 },
];

/** How a response lies. */
export type Lie = Pick<Fault, 'kind' | 'share'>;
