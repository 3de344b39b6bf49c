import type { Market } from '../../lambda/core/domain/market.ts';
import { encodeMarkets, splitLines } from '../../lambda/core/domain/market-lines.ts';
import { countSources, EMPTY_COUNTS, snapshotId } from '../../lambda/core/domain/snapshot.ts';
import { MarketSnapshot } from '../../lambda/core/query/market-snapshot.ts';
import type { SearchIndex } from '../../lambda/core/search/search-index.ts';
import type { SnapshotManifest } from '../../lambda/io/snapshots/snapshot-manifest.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';

/** 2026-11-21T12:00:00Z, where manual clocks begin. */
export const AS_OF = Date.parse('2026-11-21T12:00:00Z');

/** `undefined` removes an optional field. */
export type MarketOverrides = { readonly [F in keyof Market]?: Market[F] | undefined };

/**
 * A market of the list. Its number makes its id, its texts and its volume: market 0 has 1,000,000
 * USD, and each further market 1 USD less. So the markets 0, 1, 2 are in list order.
 */
export function testMarket(n: number, overrides: MarketOverrides = {}): Market {
  const tokenId = String(10n ** 70n + BigInt(n));
  const market = {
    id: `0x${(n + 1).toString(16).padStart(64, '0')}`,
    question: `Will event ${n} happen?`,
    slug: `will-event-${n}-happen`,
    currentProbability: 45,
    volume: 1_000_000 - n,
    liquidity: 1_000,
    oneHourPriceChange: 0.5,
    oneDayPriceChange: -1.5,
    endDate: '2026-12-31T12:00:00Z',
    clobTokenId: tokenId,
    volume24h: 500,
    spread: 0.01,
    tags: ['politics'],
    categories: [],
    outcomes: [
      { label: 'Yes', tokenId, probability: 45 },
      { label: 'No', tokenId: String(2n * 10n ** 70n + BigInt(n)), probability: 55 },
    ],
    protocolVersion: 'v1',
    catalogue: { bid: 0.44, ask: 0.46, outcome: 0.45 },
    midpoint: 0.45,
    priceSource: 'book',
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(market).filter(([, value]) => value !== undefined),
  ) as unknown as Market;
}

export function testMarkets(count: number): Market[] {
  return Array.from({ length: count }, (_, n) => testMarket(n));
}

/** A snapshot of these markets as a run of the refresher publishes it. */
export function testSnapshot(markets: readonly Market[], asOf = AS_OF): SnapshotDraft {
  return {
    id: snapshotId(asOf, Math.random),
    asOf,
    readUntil: asOf + 5_000,
    failedCalls: 0,
    catalogueAsOf: asOf - 30_000,
    cataloguePricesAsOf: asOf - 60_000,
    maxMarkets: 2_000,
    isCut: false,
    markets,
    counts: { ...EMPTY_COUNTS, bySource: countSources(markets) },
  };
}

/** A snapshot of these markets as a function has it in memory. */
export function loadedSnapshot(
  markets: readonly Market[],
  asOf = AS_OF,
  searchIndex?: SearchIndex,
): MarketSnapshot {
  return new MarketSnapshot(
    testManifest(markets, asOf),
    splitLines(encodeMarkets(markets)),
    searchIndex,
  );
}

/** The manifest of a snapshot of these markets: what the table stores besides the markets. */
export function testManifest(markets: readonly Market[], asOf = AS_OF): SnapshotManifest {
  const { markets: _, missing: __, ...info } = testSnapshot(markets, asOf);
  const expiresAt = asOf / 1_000 + 3_600;
  const base = { id: 'base', chunks: 1, checksum: '', expiresAt, writtenAt: asOf, bytes: 1 };
  return { ...info, markets: markets.length, chunks: 1, checksum: '', expiresAt, base };
}
