import type { CatalogueMarket } from '../../lambda/domain/market.ts';

/** Fields by which a market of a test differs; `undefined` takes an optional field away. */
export type CatalogueMarketOverrides = {
  readonly [Field in keyof CatalogueMarket]?:
    | CatalogueMarket[Field]
    | (undefined extends CatalogueMarket[Field] ? undefined : never);
};

/** Nothing that hints at a price. */
export const UNPRICED = {
  spread: undefined,
  lastTradePrice: undefined,
  outcomePrice: undefined,
  bestBid: undefined,
  bestAsk: undefined,
} satisfies CatalogueMarketOverrides;

/** A listable market whose fields a test sets as it needs. */
export function catalogueMarket(n: number, overrides: CatalogueMarketOverrides = {}): CatalogueMarket {
  const market = {
    id: `0x${n.toString(16).padStart(64, '0')}`,
    question: `Will event ${n} happen?`,
    slug: `will-event-${n}-happen`,
    volume: 1_000_000 - n,
    liquidity: 1_000,
    endDate: '2026-12-31T12:00:00Z',
    yesTokenId: String(10n ** 70n + BigInt(n)),
    spread: 0.01,
    lastTradePrice: 0.4,
    outcomePrice: 0.45,
    bestBid: 0.445,
    bestAsk: 0.455,
    tags: [],
    outcomes: [
      { label: 'Yes', tokenId: String(10n ** 70n + BigInt(n)), probability: 45 },
      { label: 'No', tokenId: String(2n * 10n ** 70n + BigInt(n)), probability: 55 },
    ],
    protocolVersion: 'v1',
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(market).filter(([, value]) => value !== undefined),
  ) as unknown as CatalogueMarket;
}
