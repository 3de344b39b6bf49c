import type { FromSchema } from 'json-schema-to-ts';
import { tokenIdPattern } from '../domain/token-id.ts';
import { ERRORS } from './errors.ts';
import { MARKET_SCHEMAS } from './market-schemas.ts';

/**
 * JSON Schemas (2020-12) of the answers, for the API document; the end-to-end tests validate every answer that
 * they receive against them. `additionalProperties: false` where the answer is ours alone, open where it is the
 * upstream's.
 */
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' } as const;

export const SCHEMAS = {
  TokenId: {
    type: 'string',
    pattern: tokenIdPattern(),
    description: 'An outcome token: an unsigned 256-bit number in decimal, at most 78 digits.',
  },
  ...MARKET_SCHEMAS,
  OrderBook: {
    type: 'object',
    additionalProperties: true,
    required: ['bids', 'asks'],
    description: "The upstream's book with all its fields; what is not described here may come and go.",
    properties: {
      market: { type: 'string', description: 'Condition id.' },
      asset_id: { type: 'string', description: 'The token.' },
      timestamp: { type: 'string', description: 'Last change of the book, Unix milliseconds.' },
      hash: {
        type: 'string',
        description:
          "Upstream's checksum of its own book. It verifies upstream's order of the sides, which is worst first.",
      },
      tick_size: { type: 'string', description: 'Smallest step of a price, 0 to 1.' },
      min_order_size: { type: 'string', description: 'Shares.' },
      neg_risk: { type: 'boolean', description: 'Whether the market belongs to a negative-risk event.' },
      last_trade_price: { type: 'string', description: 'Probability 0 to 1; empty when never traded.' },
      bids: {
        type: 'array',
        items: { $ref: '#/components/schemas/Level' },
        description: 'Highest price first.',
      },
      asks: {
        type: 'array',
        items: { $ref: '#/components/schemas/Level' },
        description: 'Lowest price first.',
      },
    },
  },
  UpstreamOrderBook: {
    type: 'object',
    additionalProperties: true,
    required: ['bids', 'asks'],
    description: "The upstream's book with all its fields; what is not described here may come and go.",
    properties: {
      market: { type: 'string', description: 'Condition id.' },
      asset_id: { type: 'string', description: 'The token.' },
      timestamp: { type: 'string', description: 'Last change of the book, Unix milliseconds.' },
      hash: {
        type: 'string',
        description:
          "Upstream's checksum of its own book. It verifies upstream's order of the sides, which is worst first.",
      },
      tick_size: { type: 'string', description: 'Smallest step of a price, 0 to 1.' },
      min_order_size: { type: 'string', description: 'Shares.' },
      neg_risk: { type: 'boolean', description: 'Whether the market belongs to a negative-risk event.' },
      last_trade_price: { type: 'string', description: 'Probability 0 to 1; empty when never traded.' },
      bids: {
        type: 'array',
        items: { $ref: '#/components/schemas/Level' },
        description: 'Highest price last.',
      },
      asks: {
        type: 'array',
        items: { $ref: '#/components/schemas/Level' },
        description: 'Lowest price last.',
      },
    },
  },
  Level: {
    type: 'object',
    additionalProperties: true,
    required: ['price', 'size'],
    properties: {
      price: { ...decimal, description: 'Probability 0 to 1.' },
      size: { ...decimal, description: 'Shares.' },
    },
  },
  PriceHistory: {
    type: 'object',
    additionalProperties: false,
    required: ['history'],
    properties: {
      history: {
        type: 'array',
        description: 'Ascending, no time twice.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['t', 'p'],
          properties: {
            t: { type: 'integer', description: 'Unix seconds.' },
            p: { type: 'number', minimum: 0, maximum: 1, description: 'Midpoint.' },
          },
        },
      },
    },
  },
  Status: {
    type: 'object',
    additionalProperties: false,
    required: [
      'status',
      'asOf',
      'pricesAsOf',
      'catalogueAsOf',
      'ageSeconds',
      'markets',
      'marketsWithOneDayChange',
      'marketsCataloguePriced',
      'skipped',
      'skippedByReason',
      'snapshot',
      'freshForSeconds',
      'refreshIntervalSeconds',
      'version',
      'simulated',
      'upstream',
    ],
    properties: {
      status: {
        type: 'string',
        enum: ['ok', 'stale', 'empty'],
        description: 'ok: fresh; stale: older than its freshness limit; empty: no snapshot yet.',
      },
      asOf: { type: ['string', 'null'], format: 'date-time', description: 'When the prices were read.' },
      pricesAsOf: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'The same: freshness is that of the prices, which are read every minute.',
      },
      catalogueAsOf: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the facts of the markets were read: questions, volumes, which are open.',
      },
      ageSeconds: { type: ['number', 'null'], minimum: 0 },
      markets: { type: ['integer', 'null'], minimum: 0 },
      marketsWithOneDayChange: { type: ['integer', 'null'], minimum: 0 },
      marketsCataloguePriced: {
        type: ['integer', 'null'],
        minimum: 0,
        description: "Markets whose price is the catalogue's since the order book gave none.",
      },
      skipped: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'Catalogue records that could not be listed.',
      },
      skippedByReason: {
        type: ['object', 'null'],
        additionalProperties: { type: 'integer', minimum: 1 },
        description: 'The same by reason; new reasons may be added.',
      },
      snapshot: { type: ['string', 'null'] },
      freshForSeconds: { type: 'integer', minimum: 1 },
      refreshIntervalSeconds: { type: 'integer', minimum: 1 },
      version: { type: 'string', minLength: 1, description: 'What is deployed, as git describes it.' },
      simulated: {
        type: 'boolean',
        description:
          'Whether the upstream is simulated or plays recordings, as with `npm start`: nothing to trade on.',
      },
      upstream: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['routes', 'unknownVersions', 'lastChange'],
        description: 'What the refresh knows of the upstream; null before its first run.',
        properties: {
          routes: {
            type: 'object',
            additionalProperties: false,
            required: ['catalogue', 'prices', 'histories'],
            description: 'The routes in use; the one of the histories is null while none was needed.',
            properties: {
              catalogue: { type: 'string' },
              prices: { type: 'string' },
              histories: { type: ['string', 'null'] },
            },
          },
          unknownVersions: {
            type: 'array',
            items: { type: 'string' },
            description: 'Protocol versions whose markets are skipped since they are not known.',
          },
          lastChange: {
            type: ['object', 'null'],
            additionalProperties: false,
            required: ['at', 'what', 'before', 'after'],
            description: 'The newest thing about the upstream that is not as it was.',
            properties: {
              at: { type: 'string', format: 'date-time' },
              what: { type: 'string' },
              before: { type: 'string' },
              after: { type: 'string' },
            },
          },
        },
      },
    },
  },
  RpcMessage: {
    type: 'object',
    description: 'A message of JSON-RPC 2.0, as the Model Context Protocol has them.',
    required: ['jsonrpc'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      method: { type: 'string' },
      params: { type: 'object' },
      result: { type: 'object' },
      error: { type: 'object' },
    },
  },
  ApiError: {
    type: 'object',
    additionalProperties: false,
    required: ['error', 'code', 'requestId'],
    properties: {
      error: { type: 'string', minLength: 1, description: 'One sentence a person can act on.' },
      code: {
        type: 'string',
        examples: Object.keys(ERRORS),
        description: `Stable, for programs. New ones may be added; so far: ${Object.keys(ERRORS).join(', ')}.`,
      },
      requestId: { type: 'string', description: 'To name in a report.' },
    },
  },
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** The type of what a schema describes: schema and type have one source. */
export type FromSchemaNamed<N extends SchemaName> = FromSchema<{
  readonly $ref: `#/components/schemas/${N}`;
  readonly components: { readonly schemas: typeof SCHEMAS };
}>;
