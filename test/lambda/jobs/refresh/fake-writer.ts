import type { Market } from '../../../../lambda/core/domain/market.ts';
import type { PointerInfo } from '../../../../lambda/io/snapshots/pointer-writer.ts';
import type { SnapshotDraft } from '../../../../lambda/io/snapshots/snapshot-writer.ts';

/**
 * Takes the place of `SnapshotWriter`, which publishes the snapshots of the refresher, and keeps them
 * in memory. As in the table, a snapshot is published only if its prices are newer than those of the
 * last one and its catalogue is not older.
 */
export class FakeWriter {
  /** All published snapshots, oldest first. */
  readonly published: SnapshotDraft[] = [];
  readonly failures: { since: number; at: number; reason: string }[] = [];
  /** "Shrunk" runs had a list too short to be published. Counts those since the last catalogue. */
  #shrunkRuns = 0;

  get last(): SnapshotDraft | undefined {
    return this.published.at(-1);
  }

  async newest(): Promise<{ info: PointerInfo; markets: readonly Market[] } | undefined> {
    if (!this.last) return undefined;
    const { markets, ...info } = this.last;
    return { info: { ...info, markets: markets.length, shrunkRuns: this.#shrunkRuns }, markets };
  }

  async publish(snapshot: SnapshotDraft) {
    const { last } = this;
    if (last && !isNewer(snapshot, last)) return { outcome: 'superseded' as const, bytes: 0 };
    if (last?.catalogueAsOf !== snapshot.catalogueAsOf) this.#shrunkRuns = 0;
    this.published.push(snapshot);
    return { outcome: 'published' as const, bytes: 1_000 };
  }

  async recordShrunkRun(info: PointerInfo): Promise<void> {
    this.#shrunkRuns = info.shrunkRuns + 1;
  }

  async recordFailure(failure: { since: number; at: number; reason: string }): Promise<void> {
    this.failures.push(failure);
  }
}

function isNewer(snapshot: SnapshotDraft, last: SnapshotDraft): boolean {
  return last.asOf < snapshot.asOf && last.catalogueAsOf <= snapshot.catalogueAsOf;
}
