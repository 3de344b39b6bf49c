import { EVENTS_LIMIT_DEFAULT, QUERY_MAX_CHARACTERS, QUERY_MIN_CHARACTERS } from '../constants.ts';
import { EXAMPLES } from '../examples.ts';
import { type Route, ref } from '../route.ts';
import { SEARCHABLE_PATTERN, SEARCHABLE_RULE } from '../searchable.ts';
import { AMOUNTS, CATEGORY_AND_TAG, END_DATES, FIELDS, ORDER, SNAPSHOT } from './market-parameters.ts';
import { PATH_PATTERN } from './market-routes.ts';

/** Endpoints that respond from the newest snapshot with events: questions that belong together. */
export const EVENT_ROUTES = {
  'list-events': {
    path: '/api/events',
    summary: 'Events with open markets, by volume',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      limit: {
        kind: 'integer',
        minimum: 1,
        default: EVENTS_LIMIT_DEFAULT,
        description: 'Most events to return.',
        example: '20',
      },
      offset: { kind: 'integer', minimum: 0, default: 0, description: 'Events to skip.', example: '20' },
      ...SNAPSHOT,
      q: {
        kind: 'text',
        minLength: QUERY_MIN_CHARACTERS,
        maxLength: QUERY_MAX_CHARACTERS,
        pattern: SEARCHABLE_PATTERN,
        patternRule: SEARCHABLE_RULE,
        description: 'Only events with a market that the search finds.',
        example: 'bitcoin',
      },
      sort: {
        kind: 'choice',
        values: ['volume', 'volume24h', 'liquidity', 'endDate'],
        description: 'What to sort by; without it by volume. Ties by volume, then slug.',
        example: 'endDate',
      },
      ...ORDER,
      ...CATEGORY_AND_TAG,
      ...AMOUNTS,
      ...END_DATES,
    },
    response: {
      schema: { type: 'array', items: ref('Event') },
      example: EXAMPLES.Events,
      errors: ['invalid_parameter', 'snapshot_gone', 'snapshot_stale', 'snapshot_missing'],
      cacheable: true,
      headers: ['X-Total-Count', 'Link', 'X-Search-Match'],
    },
  },
  'get-event': {
    path: '/api/events/{slug}',
    summary: 'An event and all its markets, most probable first',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {
      slug: {
        in: 'path',
        kind: 'text',
        required: true,
        minLength: 1,
        maxLength: 500,
        pattern: PATH_PATTERN,
        description: 'The slug of the event.',
        example: 'river-museum',
      },
      ...FIELDS,
    },
    response: {
      schema: ref('EventWithMarkets'),
      example: EXAMPLES.EventWithMarkets,
      errors: ['invalid_parameter', 'no_event', 'snapshot_stale', 'snapshot_missing'],
      cacheable: true,
      headers: ['X-Total-Count', 'Link'],
    },
  },
} as const satisfies Record<string, Route>;
