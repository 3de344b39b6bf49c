import type { Snapshot } from '../../lambda/domain/snapshot.ts';
import type { SnapshotPublisher } from '../../lambda/refresh/ports.ts';

/** Keeps the newest snapshot as it is given, where what is simulated is not how it is stored. */
export class HeldSnapshots implements SnapshotPublisher {
  #newest: Snapshot | undefined;

  async latest() {
    return this.#newest && { ...this.#newest, markets: this.#newest.entries.length, shrunkRuns: 0 };
  }

  async newest() {
    const published = await this.latest();
    return published && { published, entries: published.entries };
  }

  async publish(snapshot: Snapshot) {
    this.#newest = snapshot;
    return { outcome: 'published' as const, bytes: 0, chunks: 0 };
  }

  async recordShrunkRun(): Promise<void> {}
}
