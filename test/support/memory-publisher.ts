import type { Snapshot, SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import type { Published, SnapshotPublisher } from '../../lambda/refresh/ports.ts';

/**
 * Keeps the newest snapshot as it is given, where how it is stored does not matter. It passes the same tests as the real
 * one (snapshot-writer.publisher.test.ts).
 *
 * @param previous what is there already, its entries unknown
 */
export function memoryPublisher(previous?: Published): SnapshotPublisher {
  let newest: { readonly published: Published; readonly entries: readonly SnapshotEntry[] } | undefined =
    previous && { published: previous, entries: [] };
  return {
    latest: async () => newest?.published,
    newest: async () => newest,
    publish: async ({ entries, ...about }: Snapshot) => {
      const before = newest?.published;
      if (before && before.asOf > about.asOf) return { outcome: 'superseded', bytes: 1, chunks: 1 };
      const isSameCatalogue =
        about.catalogueAsOf !== undefined && about.catalogueAsOf === before?.catalogueAsOf;
      const shrunkRuns = isSameCatalogue ? before.shrunkRuns : 0;
      newest = { published: { ...about, markets: entries.length, shrunkRuns }, entries };
      return { outcome: 'published', bytes: 1, chunks: 1 };
    },
    recordShrunkRun: async (published) => {
      if (newest?.published.id !== published.id) return;
      newest = { ...newest, published: { ...newest.published, shrunkRuns: published.shrunkRuns + 1 } };
    },
  };
}
