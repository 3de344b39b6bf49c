import type { FromSchema } from 'json-schema-to-ts';
import { BOOK_SCHEMAS } from './book-schemas.ts';
import { ERRORS } from './errors.ts';
import { MARKET_SCHEMAS } from './market-schemas.ts';
import { tokenIdPattern } from './patterns.ts';
import { RPC_SCHEMAS } from './rpc-schemas.ts';

const share = { type: 'number', minimum: 0, maximum: 1 } as const;

/**
 * JSON Schemas (2020-12) of the responses, for the API document; the end-to-end tests validate every response that
 * they receive against them. `additionalProperties: false` where the response is ours alone, open where it is the
 * upstream's.
 */
export const SCHEMAS = {
  TokenId: {
    type: 'string',
    pattern: tokenIdPattern(),
    description: 'An outcome token: an unsigned 256-bit number in decimal, at most 78 digits.',
  },
  ...MARKET_SCHEMAS,
  ...BOOK_SCHEMAS,
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
      'memorySince',
      'changesFromMemory',
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
      memorySince: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'The first prices that the service has kept itself.',
      },
      changesFromMemory: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['oneDay', 'sevenDay', 'thirtyDay'],
        description:
          "Shares of the changes, 0 to 1, that are counted from prices which the service has kept itself; the others are counted from upstream's histories.",
        properties: { oneDay: share, sevenDay: share, thirtyDay: share },
      },
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
  ...RPC_SCHEMAS,
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
