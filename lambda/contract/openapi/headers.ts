import { RETRY_AFTER_SECONDS } from '../constants.ts';
import { SEARCH_MATCHES } from '../headers.ts';
import type { Json, Route } from '../route.ts';

export const HEADERS = {
  'X-Total-Count': { description: 'Entries on all pages together.', schema: { type: 'integer', minimum: 0 } },
  Link: {
    description:
      'RFC 8288 links to the first, previous, next and last page. Of an event only where it has more markets than fit into a response: links into the list of its markets, next to where they go on.',
    schema: { type: 'string' },
  },
  'X-Search-Match': {
    description:
      'How the entries were found: everything in the categories that the query names (category), what holds all its words (all) or, since nothing does, what holds any of them (any).',
    schema: { type: 'string', enum: SEARCH_MATCHES },
  },
  'X-Data-Source': {
    description:
      'Only where the upstream gave no history: the points are those that the service itself remembers (memory), 48 at most, a month back at most; those of the NO token are what is missing to 1.',
    schema: { type: 'string', const: 'memory' },
  },
  ETag: { description: 'Weak.', schema: { type: 'string' } },
  'Last-Modified': { description: 'When the prices were read.', schema: { type: 'string' } },
  'Cache-Control': { schema: { type: 'string' } },
  RateLimit: { description: 'Requests left and seconds until more are.', schema: { type: 'string' } },
  'RateLimit-Policy': { schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', const: RETRY_AFTER_SECONDS } },
  'X-Request-Id': { description: 'To name in a report.', schema: { type: 'string' } },
} as const;

export function headerRefs({ counted, source, response }: Route): Json {
  const names: (keyof typeof HEADERS)[] = [
    'Cache-Control',
    'X-Request-Id',
    ...(response.headers ?? []),
    ...(counted ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(response.cacheable ? (['ETag'] as const) : []),
    ...(response.cacheable && source === 'snapshot' ? (['Last-Modified'] as const) : []),
  ];
  return Object.fromEntries(names.map((header) => [header, { $ref: `#/components/headers/${header}` }]));
}
