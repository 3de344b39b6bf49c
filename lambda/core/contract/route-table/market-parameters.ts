/**
 * The parameters of the lists of markets and events: sorts, pages, search text, filters, fields and
 * format. `as const` keeps each literal, because the types of parsed requests follow from them.
 */
import {
  CATEGORY_NAMES,
  MAX_LIST_ENTRIES,
  QUERY_MAX_CHARACTERS,
  QUERY_MIN_CHARACTERS,
} from '../constants.ts';
import { type ComparableField, MARKET_FIELDS } from '../market-fields.ts';
import type { Compared, Parameter } from '../parameters.ts';

/** A sort key: the field that it compares, and its direction. */
export interface SortRow extends Compared {
  /** The smallest value comes first, unless the parameter `order` says otherwise. */
  readonly ascending?: true;
}

/** The sort keys, by their names in the parameter `sort`. */
export const SORTS = {
  volume: { field: 'volume' },
  volume24h: { field: 'volume24h' },
  liquidity: { field: 'liquidity' },
  probability: { field: 'currentProbability' },
  endDate: { field: 'endDate', ascending: true },
  newest: { field: 'createdAt' },
  spread: { field: 'spread', ascending: true },
  change1h: { field: 'oneHourPriceChange' },
  change1d: { field: 'oneDayPriceChange' },
  change7d: { field: 'sevenDayPriceChange' },
  change30d: { field: 'thirtyDayPriceChange' },
  move1h: { field: 'oneHourPriceChange', absolute: true },
  move1d: { field: 'oneDayPriceChange', absolute: true },
  move7d: { field: 'sevenDayPriceChange', absolute: true },
  move30d: { field: 'thirtyDayPriceChange', absolute: true },
} as const satisfies Record<string, SortRow>;
const SORT_NAMES = Object.keys(SORTS) as (keyof typeof SORTS)[];
/** `endDate` and `spread`. */
const ASCENDING = SORT_NAMES.filter((name) => 'ascending' in SORTS[name]);

/** The parameter `sort` with these keys. @param defaultValue in words, for the description */
const sortBy = <const V extends readonly string[]>(values: V, defaultValue: string) =>
  ({
    kind: 'choice',
    values,
    description: `Sort key. Default: ${defaultValue}. \`change…\` sorts by the signed change, \`move…\` by its absolute value. Ties are sorted by volume, then id. Markets without the value come last, and so do \`doubtfulChanges\`. An absent \`volume24h\` counts as 0.`,
    example: 'move1d',
  }) as const;

/** The parameters that page through a list. @param noun the plural name of its entries */
export const paging = <const D extends number>(noun: string, defaultLimit: D) =>
  ({
    limit: {
      kind: 'integer',
      minimum: 1,
      default: defaultLimit,
      description: `Maximum number of ${noun} to return.`,
      example: '20',
    },
    offset: {
      kind: 'integer',
      minimum: 0,
      default: 0,
      description: `Number of ${noun} to skip.`,
      example: '20',
    },
    snapshot: {
      kind: 'snapshot-id',
      description:
        'Id of the snapshot to read, from the header X-Snapshot-Id or a Link. Default: the newest snapshot. The service keeps a snapshot for one hour.',
      example: '20261121T120000000Z-9f86d081',
      exampleFails: true,
    },
  }) as const;

/** The parameter `q`: a text to search for. */
export const queryText = (description: string) =>
  ({
    kind: 'text',
    minLength: QUERY_MIN_CHARACTERS,
    maxLength: QUERY_MAX_CHARACTERS,
    searchable: true,
    description,
    summary: 'Words to search for',
    example: 'bitcoin',
  }) as const;

const ORDER = {
  kind: 'choice',
  values: ['asc', 'desc'],
  description: `Sort direction. Default: asc for ${ASCENDING.join(' and ')}, desc for all other sort keys.`,
  example: 'desc',
} as const satisfies Parameter;

export const LIST_SORT = {
  sort: sortBy(SORT_NAMES, 'volume, or the order of `ids`'),
  order: ORDER,
} as const;
export const SEARCH_SORT = {
  sort: sortBy(['relevance', ...SORT_NAMES] as const, 'relevance'),
  order: ORDER,
} as const;

export const CATEGORY_AND_TAG = {
  category: {
    kind: 'choice',
    values: CATEGORY_NAMES,
    description: 'Only this category. Upstream tags and words of the question decide the category.',
    example: 'crypto',
  },
  tag: {
    kind: 'list',
    maxEntries: MAX_LIST_ENTRIES,
    entryLength: 200,
    description: 'Only markets with at least one of these upstream tag slugs.',
    summary: 'Upstream tag slugs; a market has at least one of them',
    example: 'bitcoin,ethereum',
  },
} as const satisfies Record<string, Parameter>;

/** A filter such as `minVolume`: only markets whose field is at least the parameter's value. */
const atLeast = <const F extends ComparableField>(field: F, description: string, example: string) =>
  ({ kind: 'number', minimum: 0, description, example, bound: { field, is: 'atLeast' } }) as const;

/** A filter such as `maxSpread`: only markets whose field is at most the parameter's value. */
const atMost = <const F extends ComparableField>(field: F, description: string, example: string) =>
  ({ kind: 'number', minimum: 0, description, example, bound: { field, is: 'atMost' } }) as const;

const AMOUNTS = {
  minVolume: atLeast('volume', 'Minimum lifetime volume in USD.', '100000'),
  minVolume24h: atLeast('volume24h', 'Minimum volume of the last 24 hours in USD.', '1000'),
  minLiquidity: atLeast('liquidity', 'Minimum liquidity in USD.', '5000'),
} as const satisfies Record<string, Parameter>;

const MOMENT_FORMATS =
  'RFC 3339, `YYYY-MM-DD` (midnight UTC), or relative to the time of the data as `+24h` or `+7d`';
const SHORT_MOMENT_FORMATS = 'YYYY-MM-DD, RFC 3339 or +24h';

const END_DATES = {
  endsAfter: {
    kind: 'moment',
    description: `Earliest end date: ${MOMENT_FORMATS}.`,
    summary: `Earliest end date: ${SHORT_MOMENT_FORMATS}`,
    example: '+24h',
    bound: { field: 'endDate', is: 'atLeast' },
  },
  endsBefore: {
    kind: 'moment',
    description: `Latest end date, exclusive: ${MOMENT_FORMATS}. It must be later than endsAfter.`,
    summary: `Latest end date, exclusive: ${SHORT_MOMENT_FORMATS}`,
    example: '+7d',
    bound: { field: 'endDate', is: 'below' },
  },
} as const satisfies Record<string, Parameter>;

/** A filter such as `minMove1d`: only markets whose price has moved by as much, up or down. */
const minMove = <const F extends ComparableField>(field: F, time: string) =>
  ({
    kind: 'number',
    minimum: 0,
    maximum: 100,
    description: `Minimum absolute change over ${time} in percentage points. \`doubtfulChanges\` do not pass.`,
    example: '5',
    bound: { field, absolute: true, is: 'atLeast' },
  }) as const;

/**
 * The filters of the list and of the search. A filter with `bound` needs no more code, because
 * `query/filters.ts` compares the field.
 */
export const FILTERS = {
  ...CATEGORY_AND_TAG,
  event: {
    kind: 'text',
    minLength: 1,
    maxLength: 500,
    description: 'Only markets of the event with this slug.',
    summary: 'Slug of an event',
    example: 'world-cup-winner',
  },
  ids: {
    kind: 'list',
    maxEntries: MAX_LIST_ENTRIES,
    entryLength: 500,
    description:
      'Only these markets, by condition id, slug or outcome token. The response omits unknown ones and keeps this order unless `sort` is present.',
    summary: 'Condition ids, slugs or outcome tokens',
    example: 'will-the-river-museum-open-before-july',
  },
  ...AMOUNTS,
  maxSpread: { ...atMost('spread', 'Maximum spread, 0 to 1.', '0.02'), maximum: 1 },
  minProbability: {
    ...atLeast('currentProbability', 'Minimum probability of YES in percent.', '45'),
    maximum: 100,
  },
  maxProbability: {
    ...atMost(
      'currentProbability',
      'Maximum probability of YES in percent; at least minProbability.',
      '55',
    ),
    maximum: 100,
  },
  minMove1h: minMove('oneHourPriceChange', 'an hour'),
  minMove1d: minMove('oneDayPriceChange', '24 hours'),
  ...END_DATES,
} as const satisfies Record<string, Parameter>;

/** The filters of events: each limits the markets that an event counts. */
export const EVENT_FILTERS = { ...CATEGORY_AND_TAG, ...AMOUNTS, ...END_DATES } as const;

export const EVENT_SORT = {
  sort: {
    kind: 'choice',
    values: ['volume', 'volume24h', 'liquidity', 'endDate'],
    description: 'Sort key. Default: volume. Ties are sorted by volume, then slug.',
    example: 'endDate',
  },
  order: ORDER,
} as const satisfies Record<string, Parameter>;

export const FIELDS = {
  kind: 'list',
  values: ['default', 'all', ...MARKET_FIELDS],
  maxEntries: MAX_LIST_ENTRIES,
  entryLength: 100,
  description:
    'Fields of each market, in this order. `default` means the default fields, `all` every field.',
  example: 'id,question,currentProbability',
} as const satisfies Parameter;

export const FORMAT = {
  kind: 'choice',
  values: ['json', 'csv'],
  description:
    "Response format. `csv` is RFC 4180 with a header line and a `'` before a text that begins like a formula.",
  example: 'csv',
} as const satisfies Parameter;
