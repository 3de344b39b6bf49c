import { EXAMPLES } from '../examples.ts';
import { type Route, ref } from '../route.ts';

/** Endpoints about the service itself. */
export const SERVICE_ROUTES = {
  'get-status': {
    path: '/api/status',
    summary: 'Whether the data is fresh, and how old it is',
    counted: false,
    source: 'snapshot',
    parameters: {},
    response: {
      schema: ref('Status'),
      example: EXAMPLES.Status,
      errors: ['snapshot_missing'],
      cacheable: false,
    },
  },
  'get-openapi': {
    path: '/openapi.json',
    summary: 'This document',
    counted: false,
    source: 'none',
    parameters: {},
    response: {
      schema: { type: 'object' },
      example: { openapi: '3.1.0' },
      errors: [],
      cacheable: false,
    },
  },
} as const satisfies Record<string, Route>;
