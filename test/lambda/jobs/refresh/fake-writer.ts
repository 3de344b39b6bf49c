import type { Market } from '../../../../lambda/core/domain/market.ts';
import type {
  PointerInfo,
  SnapshotDraft,
} from '../../../../lambda/io/snapshots/snapshot-writer.ts';

/** Snapshots in memory, with the pointer's condition. */
export class FakeWriter {
  readonly published: SnapshotDraft[] = [];
  readonly failures: { since: number; at: number; reason: string }[] = [];
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
    const last = this.last;
    const isNewer =
      !last || (last.asOf < snapshot.asOf && last.catalogueAsOf <= snapshot.catalogueAsOf);
    if (!isNewer) return { outcome: 'superseded' as const, bytes: 0 };
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
