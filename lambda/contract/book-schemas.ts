import { object, price, text } from './json-schema.ts';

const decimal = { type: 'string', pattern: '^-?(\\d+(\\.\\d+)?|\\.\\d+)$' } as const;

/** An order book of the upstream. @param bids order of the bids @param asks order of the asks */
const book = <const B extends string, const A extends string>(bids: B, asks: A) =>
  ({
    type: 'object',
    additionalProperties: true,
    required: ['bids', 'asks'],
    description:
      "The upstream's order book with all its fields. The upstream may add or remove fields that this document does not describe.",
    properties: {
      market: text('Condition id.'),
      asset_id: text('Outcome token.'),
      timestamp: text('Time of the last change of the book, Unix milliseconds.'),
      hash: text("The upstream's checksum of its own book, whose sides begin with the worst level."),
      tick_size: text('Smallest price step, 0 to 1.'),
      min_order_size: text('Minimum order size in shares.'),
      neg_risk: { type: 'boolean', description: 'Whether the market belongs to a negative-risk event.' },
      last_trade_price: text('Price of the last trade, 0 to 1; empty before the first trade.'),
      bids: { type: 'array', items: { $ref: '#/components/schemas/Level' }, description: bids },
      asks: { type: 'array', items: { $ref: '#/components/schemas/Level' }, description: asks },
    },
  }) as const;

/** Schemas of the endpoints of order books and prices, see schemas.ts. */
export const BOOK_SCHEMAS = {
  OrderBook: book('Highest price first.', 'Lowest price first.'),
  UpstreamOrderBook: book('Highest price last.', 'Lowest price last.'),
  Level: {
    type: 'object',
    additionalProperties: true,
    required: ['price', 'size'],
    properties: {
      price: { ...decimal, description: '0 to 1.' },
      size: { ...decimal, description: 'Shares.' },
    },
  },
  PriceHistory: object(['history'], {
    history: {
      type: 'array',
      description: 'Points in ascending order of time; no two points have the same time.',
      items: object(['t', 'p'], {
        t: { type: 'integer', description: 'Unix seconds.' },
        p: price('Price, 0 to 1.'),
      }),
    },
  }),
} as const;
