import { type Route, ref } from '../route.ts';
import { TOKEN_EXAMPLE } from './clob-routes.ts';

const FUNCTION = 'get-clob-book';

const TOKEN = {
  token_id: {
    kind: 'token-id',
    aliases: ['tokenId'],
    required: true,
    description: 'The outcome token, for YES the clobTokenId of a market.',
    example: TOKEN_EXAMPLE,
  },
} as const;

const decimal = (description: string) => ({ type: 'string', description }) as const;

/** A response with one field, as upstream writes it. */
const only = <const S>(name: string, schema: S, example: unknown) =>
  ({
    schema: { type: 'object', required: [name], properties: { [name]: schema } },
    example: { [name]: example },
    errors: ['missing_parameter', 'invalid_parameter', 'no_order_book', 'upstream_unavailable'],
    cacheable: true,
  }) as const;

/** What all of them have in common. */
const COMMON = { counted: true, source: 'clob', function: FUNCTION } as const;

/**
 * The upstream's own paths and shapes, so that its clients work with nothing but their host changed. One function serves
 * all of them from one book.
 */
export const UPSTREAM_ROUTES = {
  'get-clob-book': {
    ...COMMON,
    path: '/api/clob/book',
    summary: "An order book in the upstream's own order, worst first, so that its hash verifies",
    parameters: TOKEN,
    response: {
      schema: ref('UpstreamOrderBook'),
      example: {
        asset_id: TOKEN_EXAMPLE,
        bids: [
          { price: '0.49', size: '1200' },
          { price: '0.5', size: '6379.32' },
        ],
        asks: [{ price: '0.51', size: '5398.79' }],
      },
      errors: ['missing_parameter', 'invalid_parameter', 'no_order_book', 'upstream_unavailable'],
      cacheable: true,
    },
  },
  'get-clob-midpoint': {
    ...COMMON,
    path: '/api/clob/midpoint',
    summary: 'Halfway between best bid and best ask; "0.5" for an empty book',
    parameters: TOKEN,
    response: only('mid', decimal('0 to 1.'), '0.505'),
  },
  'get-clob-price': {
    ...COMMON,
    path: '/api/clob/price',
    summary: 'The best bid (side BUY) or the best ask (side SELL); "0" where there is none',
    parameters: {
      ...TOKEN,
      side: {
        kind: 'choice',
        values: ['BUY', 'SELL'],
        required: true,
        description: 'BUY: the best bid; SELL: the best ask.',
        example: 'BUY',
      },
    },
    response: only('price', decimal('0 to 1.'), '0.5'),
  },
  'get-clob-spread': {
    ...COMMON,
    path: '/api/clob/spread',
    summary: 'Best ask minus best bid; a missing bid counts as 0, a missing ask as 1',
    parameters: TOKEN,
    response: only('spread', decimal('0 to 1.'), '0.01'),
  },
  'get-clob-last-trade-price': {
    ...COMMON,
    path: '/api/clob/last-trade-price',
    summary: 'The price of the last trade; "0.5" when there was none',
    parameters: TOKEN,
    response: {
      schema: {
        type: 'object',
        required: ['price', 'side'],
        properties: {
          price: decimal('0 to 1.'),
          side: decimal('Always empty: the order book does not tell who took the trade.'),
        },
      },
      example: { price: '0.5', side: '' },
      errors: ['missing_parameter', 'invalid_parameter', 'no_order_book', 'upstream_unavailable'],
      cacheable: true,
    },
  },
  'get-clob-tick-size': {
    ...COMMON,
    path: '/api/clob/tick-size',
    summary: 'The smallest step of a price',
    parameters: TOKEN,
    response: only('minimum_tick_size', { type: 'number', description: '0 to 1.' }, 0.01),
  },
  'get-clob-neg-risk': {
    ...COMMON,
    path: '/api/clob/neg-risk',
    summary: 'Whether the market belongs to a negative-risk event',
    parameters: TOKEN,
    response: only('neg_risk', { type: 'boolean' }, false),
  },
} as const satisfies Record<string, Route>;
