import {
  MARKETS_LIMIT_DEFAULT,
  QUERY_MAX_CHARACTERS,
  QUERY_MIN_CHARACTERS,
  SEARCH_LIMIT_CAP,
  SEARCH_LIMIT_DEFAULT,
} from '../constants.ts';
import { EXAMPLES } from '../examples.ts';
import { type Route, ref } from '../route.ts';
import { SEARCHABLE_PATTERN, SEARCHABLE_RULE } from '../searchable.ts';
import { FIELDS, FILTERS, FORMAT, LIST_SORT, ORDER, SEARCH_SORT, SNAPSHOT } from './market-parameters.ts';

/** A segment of a path: no slash, and no control character that a front door would not let through. */
export const PATH_PATTERN = '^[^/\\u0000-\\u001f\\u007f]+$';

/** A whole market unless `fields` says otherwise. */
const MARKET_ITEM = { anyOf: [ref('Market'), ref('MarketSelection')] } as const;

/** Endpoints that respond from the newest snapshot. */
export const MARKET_ROUTES = {
  'list-markets': {
    path: '/api/markets',
    summary: 'Every active market, by volume',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      limit: {
        kind: 'integer',
        minimum: 1,
        default: MARKETS_LIMIT_DEFAULT,
        description: 'Most markets to return.',
        example: '100',
      },
      offset: {
        kind: 'integer',
        minimum: 0,
        default: 0,
        description: 'Markets to skip.',
        example: '200',
      },
      ...SNAPSHOT,
      ...LIST_SORT,
      ...ORDER,
      ...FILTERS,
      ...FIELDS,
      ...FORMAT,
    },
    response: {
      schema: { type: 'array', items: MARKET_ITEM },
      csv: true,
      example: EXAMPLES.Markets,
      errors: ['invalid_parameter', 'snapshot_gone', 'snapshot_stale', 'snapshot_missing'],
      cacheable: true,
      headers: ['X-Total-Count', 'Link'],
    },
  },
  'search-markets': {
    path: '/api/markets/search',
    summary: 'Markets that match a free-text query, most relevant first',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      q: {
        kind: 'text',
        required: true,
        minLength: QUERY_MIN_CHARACTERS,
        maxLength: QUERY_MAX_CHARACTERS,
        pattern: SEARCHABLE_PATTERN,
        patternRule: SEARCHABLE_RULE,
        description:
          'What to look for. A whole word that names a category (election, crypto, sports, economics, tech) selects it. The characters & = ? # % are ignored; a letter or a digit must be left.',
        example: 'bitcoin',
      },
      limit: {
        kind: 'integer',
        minimum: 1,
        default: SEARCH_LIMIT_DEFAULT,
        ceiling: SEARCH_LIMIT_CAP,
        description: `Most markets to return; more than ${SEARCH_LIMIT_CAP} is lowered to ${SEARCH_LIMIT_CAP}.`,
        example: '10',
      },
      offset: { kind: 'integer', minimum: 0, default: 0, description: 'Markets to skip.', example: '20' },
      ...SNAPSHOT,
      ...SEARCH_SORT,
      ...ORDER,
      ...FILTERS,
      ...FIELDS,
      ...FORMAT,
    },
    response: {
      schema: { type: 'array', items: MARKET_ITEM, maxItems: SEARCH_LIMIT_CAP },
      csv: true,
      headers: ['X-Total-Count', 'Link', 'X-Search-Match'],
      example: EXAMPLES.Markets,
      errors: [
        'missing_parameter',
        'invalid_parameter',
        'snapshot_gone',
        'snapshot_stale',
        'snapshot_missing',
      ],
      cacheable: true,
    },
  },
  'list-market-changes': {
    path: '/api/markets/changes',
    summary: 'What has changed in the list since a snapshot',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      since: {
        kind: 'snapshot-id',
        required: true,
        description:
          'The snapshot that the caller has: from the Link header of the list, or `to` of the last changes. Kept for an hour.',
        example: '20261121T120000000Z-9f86d081',
      },
    },
    response: {
      schema: ref('Changes'),
      example: EXAMPLES.Changes,
      errors: [
        'missing_parameter',
        'invalid_parameter',
        'snapshot_gone',
        'snapshot_stale',
        'snapshot_missing',
      ],
      cacheable: true,
    },
  },
  'get-market': {
    path: '/api/markets/{id}',
    summary: 'One market with all its fields',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      id: {
        in: 'path',
        kind: 'text',
        required: true,
        minLength: 1,
        maxLength: 500,
        pattern: PATH_PATTERN,
        description: 'Its condition id, its slug or any of its tokens.',
        example: 'will-the-river-museum-open-before-july',
      },
    },
    response: {
      schema: ref('MarketWithAllFields'),
      example: EXAMPLES.MarketWithAllFields,
      errors: ['invalid_parameter', 'no_market', 'snapshot_stale', 'snapshot_missing'],
      cacheable: true,
    },
  },
} as const satisfies Record<string, Route>;
