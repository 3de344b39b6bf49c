import { ORDER_BOOKS_IN_RESPONSE } from '../constants.ts';
import { EXAMPLES } from '../examples.ts';
import { type Route, ref } from '../route.ts';

export const TOKEN_EXAMPLE = '98022490269692409998126496127597032490334070080325855126491859374983463996227';

const DEPTH = {
  kind: 'integer',
  minimum: 1,
  description: 'Most levels of each side to return; all without it.',
  example: '10',
} as const;

/** Endpoints of which every request may become one to the order book upstream. */
export const CLOB_ROUTES = {
  'get-order-book': {
    path: '/api/clob/order-book',
    summary: 'The live order book of one outcome token, both sides best first',
    counted: true,
    source: 'clob',
    parameters: {
      token_id: {
        kind: 'token-id',
        aliases: ['tokenId'],
        required: true,
        description: 'The outcome token, for YES the clobTokenId of a market.',
        example: TOKEN_EXAMPLE,
      },
      depth: DEPTH,
    },
    response: {
      schema: ref('OrderBook'),
      example: EXAMPLES.OrderBook,
      errors: ['missing_parameter', 'invalid_parameter', 'no_order_book', 'upstream_unavailable'],
      cacheable: true,
    },
  },
  'get-prices-history': {
    path: '/api/clob/prices-history',
    summary: 'The price history of one outcome token',
    counted: true,
    source: 'clob',
    parameters: {
      token_id: {
        kind: 'token-id',
        aliases: ['tokenId', 'market'],
        required: true,
        description: 'The outcome token, for YES the clobTokenId of a market.',
        example: TOKEN_EXAMPLE,
      },
      interval: {
        kind: 'choice',
        values: ['1d', '1w', '1m', '3m'],
        names: ['OneDay', 'OneWeek', 'OneMonth', 'ThreeMonths'],
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
    response: {
      schema: ref('PriceHistory'),
      example: EXAMPLES.PriceHistory,
      errors: ['missing_parameter', 'invalid_parameter', 'upstream_unavailable'],
      cacheable: true,
      headers: ['X-Data-Source'],
    },
  },
  'list-order-books': {
    path: '/api/clob/order-books',
    summary: 'The live order books of several outcome tokens, both sides best first',
    counted: true,
    source: 'clob',
    parameters: {
      token_id: {
        kind: 'list',
        aliases: ['tokenId'],
        required: true,
        tokens: true,
        mostEntries: ORDER_BOOKS_IN_RESPONSE,
        entryLength: 78,
        description: `Up to ${ORDER_BOOKS_IN_RESPONSE} outcome tokens with commas between.`,
        example: TOKEN_EXAMPLE,
      },
      depth: DEPTH,
    },
    response: {
      schema: {
        type: 'object',
        additionalProperties: { anyOf: [ref('OrderBook'), { type: 'null' }] },
        description: 'By token as it was sent; null where the upstream has no order book.',
      },
      example: { [TOKEN_EXAMPLE]: EXAMPLES.OrderBook },
      errors: ['missing_parameter', 'invalid_parameter', 'upstream_unavailable'],
      cacheable: true,
    },
  },
} as const satisfies Record<string, Route>;
