/** Invented responses, for the API document. A test validates each against its schema. */
import type { FromSchemaNamed } from './schemas.ts';

export const TOKEN_EXAMPLE =
  '98022490269692409998126496127597032490334070080325855126491859374983463996227';

/** A market with its default fields. */
const market = {
  id: `0x${'1fad72fae204143f'.repeat(4)}`,
  question: 'Will the river museum open before July?',
  slug: 'will-the-river-museum-open-before-july',
  currentProbability: 50.5,
  volume: 858688.43,
  liquidity: 18626.72,
  oneDayPriceChange: -1.5,
  sevenDayPriceChange: 3.25,
  thirtyDayPriceChange: 12,
  endDate: '2027-07-01T12:00:00.000Z',
  clobTokenId: TOKEN_EXAMPLE,
} satisfies FromSchemaNamed<'Market'>;

const allFields = {
  ...market,
  oneHourPriceChange: 0.5,
  volume24h: 1204.5,
  bestBid: 0.5,
  bestAsk: 0.51,
  bidSize: 6379.32,
  askSize: 5398.79,
  spread: 0.01,
  lastTradePrice: 0.5,
  midpoint: 0.505,
  priceSource: 'book',
  pricedAt: '2026-11-21T12:00:00.000Z',
  eventSlug: 'river-museum',
  eventTitle: 'River museum',
  negRisk: false,
  tags: ['culture'],
  outcomes: [
    { label: 'Yes', tokenId: TOKEN_EXAMPLE, probability: 50.5 },
    { label: 'No', tokenId: '1234567890', probability: 49.5 },
  ],
  url: 'https://polymarket.com/event/river-museum/will-the-river-museum-open-before-july',
  createdAt: '2026-06-01T09:00:00.000Z',
  minimumTickSize: 0.01,
  protocolVersion: 'v1',
  status: 'active',
} satisfies FromSchemaNamed<'MarketWithAllFields'>;

const event = {
  slug: 'river-museum',
  title: 'River museum',
  volume: 858688.43,
  volume24h: 1204.5,
  liquidity: 18626.72,
  endDate: '2027-07-01T12:00:00.000Z',
  markets: 1,
  tags: ['culture'],
  topMarkets: [
    {
      id: market.id,
      question: market.question,
      slug: market.slug,
      currentProbability: 50.5,
      clobTokenId: TOKEN_EXAMPLE,
    },
  ],
} satisfies FromSchemaNamed<'Event'>;

/**
 * The examples by the names of their schemas. `Markets` and `Events` are lists of `Market` and
 * `Event`.
 */
export const EXAMPLES = {
  Markets: [market],
  MarketWithAllFields: allFields,
  MarketRules: {
    id: market.id,
    question: market.question,
    description:
      'This market will resolve to "Yes" if the river museum opens to the public by June 30, 2027, 11:59 PM ET. Otherwise, this market will resolve to "No".\n\nThe primary source is the museum; a consensus of credible reporting also counts.',
    resolutionSource: 'https://river-museum.example/news',
    readAt: '2026-11-21T12:00:00.000Z',
  },
  Events: [event],
  EventWithMarkets: { ...event, markets: [market] },
  Tags: {
    categories: [{ slug: 'sports', markets: 812, volume: 48_120_443.5 }],
    tags: [{ slug: 'culture', markets: 1, volume: 858_688.43 }],
  },
  OrderBook: {
    market: market.id,
    asset_id: TOKEN_EXAMPLE,
    timestamp: '1784211751431',
    bids: [
      { price: '0.5', size: '6379.32' },
      { price: '0.49', size: '1200' },
    ],
    asks: [{ price: '0.51', size: '5398.79' }],
    tick_size: '0.01',
  },
  PriceHistory: {
    history: [
      { t: 1795176018, p: 0.505 },
      { t: 1795176317, p: 0.51 },
    ],
  },
  Status: {
    status: 'ok',
    asOf: '2026-11-21T12:00:00.000Z',
    catalogueAsOf: '2026-11-21T11:59:02.000Z',
    ageSeconds: 41.3,
    markets: 2000,
    marketsWithOneDayChange: 1974,
    marketsWithSevenDayChange: 1465,
    marketsWithThirtyDayChange: 403,
    marketsBySource: { book: 1_890, trade: 92, carried: 0, catalogue: 3, untraded: 15 },
    maxMarkets: 2_000,
    isCut: true,
    degradedSince: null,
    skipped: 12,
    skippedByReason: { end_date: 2, ids_pending: 10 },
    snapshot: '20261121T120000000Z-9f86d081',
    previousSnapshot: '20261121T115900000Z-6b86b273',
    memorySince: '2026-11-13T09:20:06.000Z',
    unknownVersions: [],
    freshForSeconds: 120,
    refreshIntervalSeconds: 120,
    version: 'v1.0.0-3-g9f86d08',
    simulated: false,
  },
} as const;
