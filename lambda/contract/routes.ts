import {
  MARKETS_LIMIT_DEFAULT,
  QUERY_MAX_CHARACTERS,
  QUERY_MIN_CHARACTERS,
  SEARCH_LIMIT_CAP,
  SEARCH_LIMIT_DEFAULT,
} from './constants.ts';
import type { Parameter } from './parameters.ts';

/**
 * The HTTP surface as data (design 2). The CDK routes, the parsing of parameters, the API document and the
 * tests derive from this table; a new endpoint is a new row, a handler of the same name and its environment.
 */
export const ROUTES = {
  'list-markets': {
    path: '/api/markets',
    summary: 'Every active market, by volume',
    /** Counted by the per-IP limit. */
    counted: true,
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
      snapshot: {
        kind: 'snapshot-id',
        description:
          'The snapshot to page through, as found in the Link header; without it, the newest. A snapshot is kept for an hour.',
        example: '20261121T120000000Z-9f86d081',
      },
    },
  },
  'search-markets': {
    path: '/api/markets/search',
    summary: 'Markets that match a free-text query, most relevant first',
    counted: true,
    parameters: {
      q: {
        kind: 'text',
        required: true,
        minLength: QUERY_MIN_CHARACTERS,
        maxLength: QUERY_MAX_CHARACTERS,
        pattern: '[\\p{L}\\p{N}]',
        description:
          'What to look for. A whole word that names a category (election, crypto, sports, economics, tech) selects it. The characters & = ? # % are ignored.',
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
    },
  },
  'get-order-book': {
    path: '/api/clob/order-book',
    summary: 'The live order book of one outcome token, both sides best first',
    counted: true,
    parameters: {
      token_id: {
        kind: 'token-id',
        aliases: ['tokenId'],
        required: true,
        description: 'The outcome token, for YES the clobTokenId of a market.',
        example: '98022490269692409998126496127597032490334070080325855126491859374983463996227',
      },
      depth: {
        kind: 'integer',
        minimum: 1,
        description: 'Most levels of each side to return; all without it.',
        example: '10',
      },
    },
  },
  'get-prices-history': {
    path: '/api/clob/prices-history',
    summary: 'The price history of one outcome token',
    counted: true,
    parameters: {
      token_id: {
        kind: 'token-id',
        aliases: ['tokenId', 'market'],
        required: true,
        description: 'The outcome token, for YES the clobTokenId of a market.',
        example: '98022490269692409998126496127597032490334070080325855126491859374983463996227',
      },
      interval: {
        kind: 'choice',
        values: ['1d', '1w', '1m', '3m'],
        default: '1d',
        description: 'How far back: one day, one week, one month, three months.',
        example: '1w',
      },
      fidelity: {
        kind: 'integer',
        minimum: 1,
        description:
          'Minutes between points, raised to the least there is (1d: 1, 1w: 5, 1m and 3m: 10); without it about 300 points for any interval.',
        example: '60',
      },
    },
  },
  'get-status': {
    path: '/api/status',
    summary: 'Whether the data is fresh, and how old it is',
    counted: false,
    parameters: {},
  },
  'get-openapi': {
    path: '/openapi.json',
    summary: 'This document',
    counted: false,
    parameters: {},
  },
} as const satisfies Record<string, Route>;

export interface Route {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly counted: boolean;
  readonly parameters: Readonly<Record<string, Parameter>>;
}

/** An endpoint's name: that of its handler file, its function and its row here. */
export type RouteName = keyof typeof ROUTES;
