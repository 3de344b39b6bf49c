/**
 * A market as Gamma, Polymarket's catalogue, sends it in JSON. Lists and most amounts are texts. A
 * test overrides what it needs; `undefined` leaves a field out.
 */
export function gammaRecord(
  overrides: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const record: Record<string, unknown> = {
    id: '517310',
    question: 'Will it rain in Zürich?',
    conditionId: `0x${'ab'.repeat(32)}`,
    slug: 'will-it-rain-in-zurich',
    endDate: '2026-12-31T12:00:00Z',
    liquidity: '12449.51305',
    liquidityNum: 12449.51305,
    volume: '1106596.587114',
    volumeNum: 1106596.587114,
    active: true,
    closed: false,
    archived: false,
    enableOrderBook: true,
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.054", "0.946"]',
    clobTokenIds: '["111", "222"]',
    bestBid: 0.05,
    bestAsk: 0.058,
    spread: 0.008,
    lastTradePrice: 0.04,
    volume24hr: 524.92743,
    groupItemTitle: 'Zürich',
    negRisk: true,
    image: 'https://upload.example/rain.jpg',
    createdAt: '2026-01-02T03:04:05.678901Z',
    orderPriceMinTickSize: 0.0025,
    events: [
      { id: '1', slug: 'rain-in-zurich', title: 'Rain in Zürich', endDate: '2027-01-01T00:00:00Z' },
    ],
    tags: [{ id: '1', slug: 'weather', label: 'Weather' }],
    ...overrides,
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
