/**
 * The rows of the route table for the endpoints that read CLOB, Polymarket's API of order books and
 * price histories, while the caller waits. `Route` explains the keys of a row.
 */
import { MAX_ORDER_BOOKS, MAX_PRICE_HISTORIES } from '../constants.ts';
import { EXAMPLES, TOKEN_EXAMPLE } from '../examples.ts';
import { MAX_TOKEN_DIGITS } from '../patterns.ts';
import { type Route, ref } from '../route-type.ts';
import { OTHER_BOOK_NAMES, OTHER_HISTORIES_NAMES, OTHER_HISTORY_NAMES } from './other-names.ts';

/** What the rows of all these endpoints have in common. */
const COMMON = { limited: true, source: 'clob' } as const;
const TOKEN_ERRORS = [
  'missing_parameter',
  'invalid_parameter',
  'unknown_parameter',
  'upstream_unavailable',
  'upstream_busy',
] as const;
const BOOK_ERRORS = [...TOKEN_ERRORS, 'no_order_book'] as const;

/** Aliases of `token_id`. `clobTokenId` is the name of the value in the list. */
const TOKEN_ALIASES = ['tokenId', 'clobTokenId'] as const;

const TOKEN = {
  kind: 'token-id',
  aliases: TOKEN_ALIASES,
  required: true,
  description: 'Outcome token. The token of YES is the `clobTokenId` of a market.',
  summary: 'Outcome token',
  example: TOKEN_EXAMPLE,
} as const;

/** The parameter of several tokens. */
const tokenList = <const M extends number>(maxEntries: M) =>
  ({
    kind: 'list',
    aliases: TOKEN_ALIASES,
    required: true,
    tokens: true,
    maxEntries,
    entryLength: MAX_TOKEN_DIGITS,
    description: `Up to ${maxEntries} outcome tokens, separated by commas.`,
    example: TOKEN_EXAMPLE,
  }) as const;

const FIDELITY = {
  kind: 'integer',
  minimum: 1,
  description:
    'Minutes of a step, at least: a history has at most one point in each step. Default: for `1h` to `1m` the finest that the upstream has, for `max` 720, otherwise the finest of 1, 5, 30, 180, 720 and 1,440 that gives at most about 2,500 points. The header X-Fidelity-Minutes has the actual length: the service raises it to the finest that the upstream has (1w: 5, 1m: 10, 3m: 30, max: 180; a window that began more than 7, 60 or 90 days ago: 5, 30 or 180).',
  example: '60',
} as const;

const TIMESTAMP_FORMATS = 'Unix seconds, RFC 3339 or `YYYY-MM-DD` (midnight UTC)';

const DEPTH = {
  kind: 'integer',
  minimum: 1,
  description: 'Maximum number of levels on each side. Default: all levels.',
  example: '10',
} as const;

export const CLOB_ROUTES = {
  'get-order-book': {
    ...COMMON,
    core: true,
    path: '/api/clob/order-book',
    summary: 'Get the live order book of one outcome token, best level first on both sides',
    description:
      "The upstream's own fields; the service only sorts both sides. Prices are decimal numbers from 0 to 1 as text, sizes are shares.",
    parameters: { token_id: TOKEN, depth: DEPTH },
    otherParameters: OTHER_BOOK_NAMES,
    response: { schema: ref('OrderBook'), example: EXAMPLES.OrderBook, errors: BOOK_ERRORS },
  },
  'get-prices-history': {
    ...COMMON,
    core: true,
    path: '/api/clob/prices-history',
    summary:
      'Get the price history of one outcome token, for an interval or for any window of time',
    description:
      'Points in ascending order of time: `t` in Unix seconds, `p` from 0 to 1. Send `interval`, or `startTs` with or without `endTs`. A token without prices has an empty list.',
    parameters: {
      token_id: { ...TOKEN, aliases: [...TOKEN_ALIASES, 'market'] },
      interval: {
        kind: 'choice',
        values: ['1h', '6h', '1d', '1w', '1m', '3m', 'max'],
        names: ['OneHour', 'SixHours', 'OneDay', 'OneWeek', 'OneMonth', 'ThreeMonths', 'Max'],
        description:
          'Length of the history up to now: one or six hours, one day, one week, one or three months, or the whole life of the market (max). Default: 1d. Not together with startTs.',
        example: '1w',
      },
      startTs: {
        kind: 'timestamp',
        description: `Start, inclusive: ${TIMESTAMP_FORMATS}. Use it in place of interval.`,
        summary: 'Start, in place of interval: YYYY-MM-DD, RFC 3339 or Unix seconds',
        example: '1795000000',
        exampleFails: true,
      },
      endTs: {
        kind: 'timestamp',
        description: `End, inclusive: ${TIMESTAMP_FORMATS}. Default: now. Only together with startTs.`,
        summary: 'End, with startTs',
        example: '1795086400',
        exampleFails: true,
      },
      fidelity: FIDELITY,
    },
    otherParameters: OTHER_HISTORY_NAMES,
    response: {
      schema: ref('PriceHistory'),
      example: EXAMPLES.PriceHistory,
      errors: TOKEN_ERRORS,
      headers: ['X-Fidelity-Minutes'],
    },
  },
  'get-prices-histories': {
    ...COMMON,
    path: '/api/clob/prices-histories',
    summary: `Get the price histories of up to ${MAX_PRICE_HISTORIES} outcome tokens`,
    description: 'One request in place of many, for example for the outcomes of an event.',
    parameters: {
      token_id: tokenList(MAX_PRICE_HISTORIES),
      interval: {
        kind: 'choice',
        values: ['1h', '6h', '1d', '1w', '1m'],
        names: ['OneHour', 'SixHours', 'OneDay', 'OneWeek', 'OneMonth'],
        default: '1d',
        description:
          'Length of the histories up to now: one or six hours, one day, one week or one month.',
        example: '1w',
      },
      fidelity: FIDELITY,
    },
    otherParameters: OTHER_HISTORIES_NAMES,
    response: {
      schema: {
        type: 'object',
        additionalProperties: { anyOf: [ref('PriceHistory'), { type: 'null' }] },
        description:
          'Price histories by token, as the request wrote it and in its order. An empty list: the upstream has no prices of the token. `null`: the history could not be read this time.',
      },
      example: { [TOKEN_EXAMPLE]: EXAMPLES.PriceHistory },
      errors: TOKEN_ERRORS,
      headers: ['X-Fidelity-Minutes'],
    },
  },
  'list-order-books': {
    ...COMMON,
    path: '/api/clob/order-books',
    summary: `Get the live order books of up to ${MAX_ORDER_BOOKS} outcome tokens, best level first on both sides`,
    description: 'One request in place of many, for example for the outcomes of an event.',
    parameters: { token_id: tokenList(MAX_ORDER_BOOKS), depth: DEPTH },
    otherParameters: OTHER_BOOK_NAMES,
    response: {
      schema: {
        type: 'object',
        additionalProperties: { anyOf: [ref('OrderBook'), { type: 'null' }] },
        description:
          'Order books by token, as the request wrote it. `null`: the upstream has no order book for the token.',
      },
      example: { [TOKEN_EXAMPLE]: EXAMPLES.OrderBook },
      errors: TOKEN_ERRORS,
    },
  },
} as const satisfies Record<string, Route>;
