const decimal = { type: 'string', pattern: '^-?(\\d+(\\.\\d+)?|\\.\\d+)$' } as const;

/** A book of the upstream, with the sides in one order or the other. */
const book = <const B extends string, const A extends string>(bids: B, asks: A) =>
  ({
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
} as const;
