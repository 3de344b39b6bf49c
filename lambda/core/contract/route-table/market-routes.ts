import { EVENTS_LIMIT_DEFAULT, MARKETS_LIMIT_DEFAULT, MAX_SEARCH_LIMIT, SEARCH_LIMIT_DEFAULT } from '../constants.ts';
import { EXAMPLES } from '../examples.ts';
import { PATH_SEGMENT_PATTERN } from '../patterns.ts';
import { type Route, ref } from '../route-type.ts';
import {
  EVENT_FILTERS,
  EVENT_SORT,
  FIELDS_PARAMETER,
  FILTERS,
  FORMAT,
  LIST_SORT,
  paging,
  queryText,
  SEARCH_SORT,
} from './market-parameters.ts';

const COMMON = { counted: true, source: 'snapshot', memoryMb: 1_024 } as const;
const NO_DATA = ['snapshot_stale', 'snapshot_missing'] as const;
const LIST_ERRORS = ['invalid_parameter', 'unknown_parameter', 'snapshot_gone', ...NO_DATA] as const;
const PAGE_HEADERS = ['X-Total-Count', 'Link', 'X-Snapshot-Id', 'X-Catalogue-As-Of'] as const;

/** A whole market, or the fields that `fields` selects. */
const MARKET_ITEM = { anyOf: [ref('Market'), ref('MarketSelection')] } as const;

const pathSegment = (description: string, summary: string, example: string) =>
  ({
    in: 'path',
    kind: 'text',
    required: true,
    minLength: 1,
    maxLength: 500,
    pattern: PATH_SEGMENT_PATTERN,
    patternRule: 'without slashes and control characters',
    description,
    summary,
    example,
  }) as const;

/** Endpoints that respond from the newest snapshot. */
export const MARKET_ROUTES = {
  'list-markets': {
    ...COMMON,
    path: '/api/markets',
    summary: 'List active markets, highest volume first',
    parameters: {
      ...paging('markets', MARKETS_LIMIT_DEFAULT),
      ...LIST_SORT,
      ...FILTERS,
      ...FIELDS_PARAMETER,
      ...FORMAT,
    },
    response: {
      schema: { type: 'array', items: MARKET_ITEM },
      csv: true,
      example: EXAMPLES.Markets,
      errors: LIST_ERRORS,
      headers: PAGE_HEADERS,
    },
  },
  'search-markets': {
    ...COMMON,
    path: '/api/markets/search',
    summary: 'Search markets by text, most relevant first',
    parameters: {
      q: {
        ...queryText(
          'Search text. A word that names a category (election, crypto, sports, economics, tech) selects that category. The search ignores the characters & = ? # %; at least one letter or digit must remain.',
        ),
        required: true,
      },
      ...paging('markets', SEARCH_LIMIT_DEFAULT),
      limit: {
        kind: 'integer',
        minimum: 1,
        default: SEARCH_LIMIT_DEFAULT,
        ceiling: MAX_SEARCH_LIMIT,
        description: `Maximum number of markets to return. The service lowers values above ${MAX_SEARCH_LIMIT} to ${MAX_SEARCH_LIMIT}.`,
        example: '10',
      },
      ...SEARCH_SORT,
      ...FILTERS,
      ...FIELDS_PARAMETER,
      ...FORMAT,
    },
    response: {
      schema: { type: 'array', items: MARKET_ITEM, maxItems: MAX_SEARCH_LIMIT },
      csv: true,
      example: EXAMPLES.Markets,
      errors: ['missing_parameter', ...LIST_ERRORS],
      headers: [...PAGE_HEADERS, 'X-Search-Match'],
    },
  },
  'list-market-changes': {
    ...COMMON,
    path: '/api/markets/changes',
    summary: 'List the differences between a snapshot and the newest one',
    parameters: {
      since: {
        kind: 'snapshot-id',
        required: true,
        description:
          "Id of the caller's snapshot: the header X-Snapshot-Id of the list, or `to` of the last changes. The service keeps a snapshot for one hour.",
        example: '20261121T120000000Z-9f86d081',
      },
    },
    response: {
      schema: ref('Changes'),
      example: EXAMPLES.Changes,
      errors: ['missing_parameter', ...LIST_ERRORS],
      headers: ['X-Snapshot-Id', 'X-Catalogue-As-Of'],
    },
  },
  'get-market': {
    ...COMMON,
    path: '/api/markets/{id}',
    summary: 'Get one market with all its fields, open or closed',
    parameters: {
      id: pathSegment(
        'Condition id, slug or any outcome token of the market.',
        'Condition id, slug or outcome token',
        'will-the-river-museum-open-before-july',
      ),
    },
    response: {
      schema: { anyOf: [ref('MarketWithAllFields'), ref('UnlistedMarket'), ref('ResolvedMarket')] },
      example: EXAMPLES.MarketWithAllFields,
      errors: ['invalid_parameter', 'no_market', ...NO_DATA, 'upstream_unavailable'],
      headers: ['X-Snapshot-Id', 'X-Catalogue-As-Of'],
    },
  },
  'list-events': {
    ...COMMON,
    path: '/api/events',
    summary: 'List events that have open markets, highest volume first',
    parameters: {
      ...paging('events', EVENTS_LIMIT_DEFAULT),
      q: queryText('Only events with a market that matches this search text.'),
      ...EVENT_SORT,
      ...EVENT_FILTERS,
    },
    response: {
      schema: { type: 'array', items: ref('Event') },
      example: EXAMPLES.Events,
      errors: LIST_ERRORS,
      headers: [...PAGE_HEADERS, 'X-Search-Match'],
    },
  },
  'get-event': {
    ...COMMON,
    path: '/api/events/{slug}',
    summary: 'Get one event with its open markets, most probable first',
    parameters: { slug: pathSegment('Slug of the event.', 'Slug of the event', 'river-museum'), ...FIELDS_PARAMETER },
    response: {
      schema: ref('EventWithMarkets'),
      example: EXAMPLES.EventWithMarkets,
      errors: ['invalid_parameter', 'unknown_parameter', 'no_event', ...NO_DATA],
      headers: PAGE_HEADERS,
    },
  },
  'list-tags': {
    ...COMMON,
    path: '/api/tags',
    summary: 'List the categories and tags of the active markets, most markets first',
    parameters: {},
    response: {
      schema: ref('Tags'),
      example: EXAMPLES.Tags,
      errors: [...NO_DATA],
      headers: ['X-Snapshot-Id', 'X-Catalogue-As-Of'],
    },
  },
} as const satisfies Record<string, Route>;
