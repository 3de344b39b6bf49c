import { CATEGORY_NAMES } from '../categories.ts';
import { MARKET_FIELDS } from '../market-schemas.ts';
import type { Parameter } from '../parameters.ts';

/** Most entries of a list that a caller sends. */
const MOST_ENTRIES = 100;

const COLUMN_SORTS = [
  'volume',
  'volume24h',
  'liquidity',
  'probability',
  'endDate',
  'newest',
  'spread',
  'change1d',
  'change7d',
  'change30d',
  'move1d',
  'move7d',
  'move30d',
] as const;

const SORT_RULE =
  'change…: signed, move…: however signed. Ties by volume, then id; markets without the value come last.';

const sortParameter = <const V extends readonly string[]>(values: V, usual: string) =>
  ({
    kind: 'choice',
    values,
    description: `What to sort by; without it by ${usual}. ${SORT_RULE}`,
    example: 'move1d',
  }) as const;

/** The sort of the list: its own order is by volume, or that of `ids`. */
export const LIST_SORT = {
  sort: sortParameter(COLUMN_SORTS, 'volume, or in the order of ids'),
} as const satisfies Record<string, Parameter>;

export const SEARCH_SORT = {
  sort: sortParameter(['relevance', ...COLUMN_SORTS] as const, 'relevance'),
} as const satisfies Record<string, Parameter>;

export const ORDER = {
  order: {
    kind: 'choice',
    values: ['asc', 'desc'],
    description: 'Which way round; without it asc for endDate and spread, desc for all others.',
    example: 'desc',
  },
} as const satisfies Record<string, Parameter>;

export const CATEGORY_AND_TAG = {
  category: {
    kind: 'choice',
    values: CATEGORY_NAMES,
    description: 'Only this category, by the rule of the search: upstream tags and words of the question.',
    example: 'crypto',
  },
  tag: {
    kind: 'list',
    mostEntries: MOST_ENTRIES,
    entryLength: 200,
    description: 'Only with any of these upstream tag slugs.',
    example: 'bitcoin,ethereum',
  },
} as const satisfies Record<string, Parameter>;

export const AMOUNTS = {
  minVolume: { kind: 'number', minimum: 0, description: 'Least lifetime volume in USD.', example: '100000' },
  minVolume24h: {
    kind: 'number',
    minimum: 0,
    description: 'Least volume of the last 24 hours in USD.',
    example: '1000',
  },
  minLiquidity: { kind: 'number', minimum: 0, description: 'Least liquidity in USD.', example: '5000' },
} as const satisfies Record<string, Parameter>;

export const END_DATES = {
  endsAfter: {
    kind: 'moment',
    description:
      'Only what ends then or later: RFC 3339, YYYY-MM-DD (midnight UTC), or from the time of the data on: +24h, +7d.',
    example: '+24h',
  },
  endsBefore: {
    kind: 'moment',
    description:
      'Only what ends earlier, written in the same ways; later than endsAfter. The plus may be left out.',
    example: '+7d',
  },
} as const satisfies Record<string, Parameter>;

/** What narrows a list of markets down. */
export const FILTERS = {
  ...CATEGORY_AND_TAG,
  event: {
    kind: 'text',
    minLength: 1,
    maxLength: 500,
    description: 'Only the markets of the event with this slug.',
    example: 'world-cup-winner',
  },
  ids: {
    kind: 'list',
    mostEntries: MOST_ENTRIES,
    entryLength: 500,
    description:
      'Only these condition ids, slugs or outcome tokens. Unknown ones are left out; their order is kept unless sort is given.',
    example: 'will-the-river-museum-open-before-july',
  },
  ...AMOUNTS,
  maxSpread: {
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Greatest spread, 0 to 1.',
    example: '0.02',
  },
  minProbability: {
    kind: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Least probability of YES in percent.',
    example: '45',
  },
  maxProbability: {
    kind: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Greatest probability of YES in percent; at least minProbability.',
    example: '55',
  },
  minMove1d: {
    kind: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Least change over 24 hours either way, in percentage points.',
    example: '5',
  },
  ...END_DATES,
} as const satisfies Record<string, Parameter>;

export const FIELDS = {
  fields: {
    kind: 'list',
    values: ['default', 'all', ...MARKET_FIELDS],
    mostEntries: MOST_ENTRIES,
    entryLength: 100,
    description:
      'The fields of each market, in this order: names, default for those without this parameter, all for everything.',
    example: 'id,question,currentProbability',
  },
} as const satisfies Record<string, Parameter>;

export const FORMAT = {
  format: {
    kind: 'choice',
    values: ['json', 'csv'],
    description:
      'csv: RFC 4180 with a header line, the same fields. The header Accept: text/csv does the same.',
    example: 'csv',
  },
} as const satisfies Record<string, Parameter>;

export const SNAPSHOT = {
  snapshot: {
    kind: 'snapshot-id',
    description:
      'The snapshot to page through, as found in the Link header; without it, the newest. A snapshot is kept for an hour.',
    example: '20261121T120000000Z-9f86d081',
  },
} as const satisfies Record<string, Parameter>;
