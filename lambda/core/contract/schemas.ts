/** The JSON Schemas of all responses of the API, and the TypeScript types that follow from them. */
import type { FromSchema } from 'json-schema-to-ts';
import { ERRORS } from './errors.ts';
import { s } from './json-schema.ts';
import { PRICE_SOURCES, type PriceSource } from './market-fields.ts';
import { MARKET_SCHEMAS } from './market-schemas.ts';
import { TOKEN_ID_PATTERN } from './patterns.ts';

const timeOrNull = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', description }) as const;
const countOrNull = (description: string) =>
  ({ type: ['integer', 'null'], minimum: 0, description }) as const;

const count = { type: 'integer', minimum: 0 } as const;
/** A number for each source of prices. */
const COUNTS = {
  book: count,
  trade: count,
  carried: count,
  catalogue: count,
  untraded: count,
} as const satisfies Record<PriceSource, unknown>;

/**
 * The fields of `/api/status` that are always present. Those about a snapshot are `null` while
 * there is none.
 */
const STATUS_FIELDS = {
  status: s.choice(
    ['ok', 'degraded', 'stale', 'empty'],
    'ok: the data is fresh. degraded: the data is fresh, but the catalogue or many order books could not be read, or the list lacks more than a fifth of the markets that it should have, as `reason` says. stale: the data is too old. empty: no snapshot has been published yet.',
  ),
  asOf: timeOrNull('When the service read the prices.'),
  catalogueAsOf: timeOrNull(
    'Time of questions, volumes and the list of open markets: when Polymarket made the oldest page of its catalogue, whose cache can be five minutes old. A page without a known age counts as five minutes old.',
  ),
  ageSeconds: {
    type: ['number', 'null'],
    minimum: 0,
    description: 'Age of the prices in seconds.',
  },
  markets: countOrNull('Number of markets.'),
  marketsWithOneDayChange: countOrNull('Markets whose 1-day change is known.'),
  marketsWithSevenDayChange: countOrNull('Markets whose 7-day change is known.'),
  marketsWithThirtyDayChange: countOrNull('Markets whose 30-day change is known.'),
  marketsBySource: {
    ...s.object(PRICE_SOURCES, COUNTS),
    type: ['object', 'null'],
    description:
      'Number of markets by the source of their price, as `priceSource` of a market says.',
  },
  maxMarkets: countOrNull('The most markets that the list holds: those of highest volume.'),
  isCut: {
    type: ['boolean', 'null'],
    description: 'Whether the upstream has more open markets than the list holds.',
  },
  degradedSince: timeOrNull('Since when `status` is `degraded`; `null` in any other state.'),
  skipped: countOrNull('Catalogue records that the service could not list.'),
  skippedByReason: {
    type: ['object', 'null'],
    additionalProperties: { type: 'integer', minimum: 1 },
    description: 'The skipped records by reason. Later versions can add reasons.',
  },
  snapshot: { type: ['string', 'null'], description: 'Id of the newest snapshot.' },
  previousSnapshot: {
    type: ['string', 'null'],
    description: 'Id of the snapshot before the newest.',
  },
  memorySince: timeOrNull('When the service stored its first prices.'),
  unknownVersions: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Protocol versions that the service does not support. It skips their markets.',
  },
  freshForSeconds: s.count('Age in seconds up to which data is fresh.'),
  refreshIntervalSeconds: s.count('Seconds between two reads of the whole catalogue.'),
  version: { type: 'string', minLength: 1, description: 'Deployed version, as git describes it.' },
  simulated: s.flag('Whether the upstream is simulated, as with `npm start`.'),
} as const;

/** A decimal number as text. Upstream also writes `.5`. */
const decimal = { type: 'string', pattern: '^-?(\\d+(\\.\\d+)?|\\.\\d+)$' } as const;

/** The schemas of order books and price histories. */
const BOOK_SCHEMAS = {
  OrderBook: {
    type: 'object',
    additionalProperties: true,
    required: ['bids', 'asks'],
    description:
      "The upstream's order book with all its fields. The upstream may add or remove fields that this document does not describe.",
    properties: {
      market: s.text('Condition id.'),
      asset_id: s.text('Outcome token.'),
      timestamp: s.text('Time of the last change of the book, Unix milliseconds.'),
      hash: s.text(
        "The upstream's checksum of its own book, whose sides begin with the worst level.",
      ),
      tick_size: s.text('Smallest price step, 0 to 1.'),
      min_order_size: s.text('Minimum order size in shares.'),
      neg_risk: s.flag('Whether the market belongs to a negative-risk event.'),
      last_trade_price: s.text('Price of the last trade, 0 to 1; empty before the first trade.'),
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
  Level: {
    type: 'object',
    additionalProperties: true,
    required: ['price', 'size'],
    properties: {
      price: { ...decimal, description: '0 to 1.' },
      size: { ...decimal, description: 'Shares.' },
    },
  },
  PriceHistory: s.object(['history'], {
    history: {
      type: 'array',
      description:
        'Points in ascending order of time. No two have the same time, and at most one lies in each step since 1970 (UTC) of X-Fidelity-Minutes: the latest. The last one is the newest, or the payout after it.',
      items: s.object(['t', 'p'], {
        t: {
          type: 'integer',
          description:
            "Unix seconds, the upstream's own: when it read the price, or when the bucket of the price began.",
        },
        p: s.price('Price, 0 to 1.'),
        payout: s.flag(
          '`true`: the market is resolved, and `p` is what a share pays. Absent from prices.',
        ),
      }),
    },
  }),
} as const;

/**
 * JSON Schemas (2020-12) of the responses. Ours have `additionalProperties: false`, upstream's are
 * open.
 */
export const SCHEMAS = {
  TokenId: {
    type: 'string',
    pattern: TOKEN_ID_PATTERN,
    description: 'Outcome token: an unsigned 256-bit number in decimal, at most 78 digits.',
  },
  ...MARKET_SCHEMAS,
  ...BOOK_SCHEMAS,
  Status: s.object(Object.keys(STATUS_FIELDS) as (keyof typeof STATUS_FIELDS)[], {
    ...STATUS_FIELDS,
    reason: s.text(
      'What is missing and what it means. Present only while `status` is `degraded` or `empty`.',
    ),
  }),
  ApiError: s.object(['error', 'code', 'requestId'], {
    error: { type: 'string', minLength: 1, description: 'What is wrong and what to do.' },
    code: {
      type: 'string',
      examples: Object.keys(ERRORS),
      description:
        'Stable code for programs. The examples are all codes so far; later versions can add codes.',
    },
    requestId: s.text('Id of the request. Quote it when you report a problem.'),
  }),
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/**
 * The type that a schema describes, so that schema and type have one source.
 * `FromSchemaNamed<'TagCount'>` is `{ slug: string; markets: number; volume: number }`.
 */
export type FromSchemaNamed<N extends SchemaName> = FromSchema<{
  readonly $ref: `#/components/schemas/${N}`;
  readonly components: { readonly schemas: typeof SCHEMAS };
}>;
