import type { PricePoint } from '../../../../lambda/domain/change.ts';
import type { CatalogueMarket, CatalogueRecord } from '../../../../lambda/domain/market.ts';
import type { Snapshot } from '../../../../lambda/domain/snapshot.ts';
import type {
  Catalogue,
  HistoryRange,
  PriceMemory,
  Prices,
  Published,
  SnapshotPublisher,
} from '../../../../lambda/refresh/ports.ts';
import { memoryPublisher } from '../../../support/memory-publisher.ts';

export function listable(market: CatalogueMarket): CatalogueRecord {
  return { kind: 'listable', id: market.id, market };
}

/** Pages as they are given; the cursor is the number of the next page. */
export function pagedCatalogue(
  pages: readonly (readonly CatalogueRecord[])[],
  pauseBefore = async () => {},
): Catalogue {
  return {
    async page(cursor) {
      await pauseBefore();
      const n = Number(cursor ?? 0);
      const records = pages[n] ?? [];
      return n + 1 < pages.length ? { records, nextCursor: String(n + 1), ageSeconds: n * 10 } : { records };
    },
    find: async (ids) => pages.flat().filter(({ id = '' }) => ids.includes(id)),
  };
}

export interface FakePrices extends Prices {
  readonly log: string[];
}

/** Every token at one midpoint with one history, unless a test says otherwise. */
export function fakePrices(overrides: Partial<Prices> = {}, pause = async () => {}): FakePrices {
  const log: string[] = [];
  const points = (range: HistoryRange): PricePoint[] => [{ t: range.start, p: 0.4 }];
  const prices: Prices = {
    async midpoints(tokens) {
      await pause();
      return new Map(tokens.map((token) => [token, 0.5]));
    },
    async histories(tokens, range) {
      await pause();
      return new Map(tokens.map((token) => [token, points(range)]));
    },
    ...overrides,
  };
  return {
    log,
    midpoints: (tokens, deadline) => {
      log.push(`midpoints ${tokens.length}`);
      return prices.midpoints(tokens, deadline);
    },
    histories: (tokens, range, deadline) => {
      log.push(`histories ${tokens.length}`);
      return prices.histories(tokens, range, deadline);
    },
  };
}

/** A publisher in memory, and what it was given. */
export function fakePublisher(previous?: Published) {
  const published: Snapshot[] = [];
  const shrunk: Published[] = [];
  const memory = memoryPublisher(previous);
  const publisher: SnapshotPublisher = {
    ...memory,
    publish: async (snapshot, deadline) => {
      published.push(snapshot);
      return await memory.publish(snapshot, deadline);
    },
    recordShrunkRun: async (value, deadline) => {
      shrunk.push(value);
      await memory.recordShrunkRun(value, deadline);
    },
  };
  return { publisher, published, shrunk };
}

/** A memory that knows nothing, asks for nothing and keeps everything, unless a test says otherwise. */
export function fakeMemory(overrides: Partial<PriceMemory> = {}): PriceMemory {
  return {
    since: 0,
    open: async () => 0,
    baseline: () => undefined,
    wants: () => false,
    learn: () => undefined,
    keep: async () => true,
    ...overrides,
  };
}
