import type { Snapshot } from '../../../../lambda/domain/snapshot.ts';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { Published, SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { decodeSnapshot, encodeSnapshot } from '../../../../lambda/snapshots/codec.ts';
import type { Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';
import type { SnapshotSource } from '../../../../lambda/snapshots/snapshot-reader.ts';
import type { Surroundings } from './slow-upstreams.ts';

/** Small, so that each snapshot has several chunks and a run can be killed between them. */
const CHUNK_BYTES = 2_048;
const CALL_MS: readonly [number, number] = [3, 30];
const SLOW_MS: readonly [number, number] = [200, 1_000];
const KEPT_SECONDS = 3_600;
/** Of one write while the store refuses, or while runs are killed. */
const REFUSED_SHARE = 0.3;

/** The snapshot table in memory: chunks first, then the pointer on the condition that nothing newer is there. */
export class MemoryStore {
  /** Every snapshot that a run began to publish, by its id: nothing else may ever be read. */
  readonly truth = new Map<string, Snapshot>();
  /** Publishers whose run was killed on the way. */
  killed = 0;
  /** When the pointer last moved, ms. */
  movedAt = Number.NEGATIVE_INFINITY;
  private readonly around: Surroundings;
  private readonly chunks = new Map<string, Uint8Array>();
  private pointer: (Manifest & Published) | undefined;

  constructor(around: Surroundings) {
    this.around = around;
  }

  get publisher(): SnapshotPublisher {
    return {
      latest: async () => {
        await this.call();
        return this.pointer;
      },
      publish: (snapshot) => this.publish(snapshot),
      recordShrunkRun: async (published) => {
        await this.write();
        if (this.pointer?.id !== published.id) return;
        this.pointer = { ...this.pointer, shrunkRuns: published.shrunkRuns + 1 };
      },
    };
  }

  /** The readers' side. */
  get source(): SnapshotSource {
    return {
      latest: async () => {
        await this.read();
        return this.pointer;
      },
      find: async (id) => {
        await this.read();
        return this.pointer?.id === id ? this.pointer : undefined;
      },
      read: async (manifest) => {
        await this.read();
        const numbers = Array.from({ length: manifest.chunks }, (_, n) => n);
        const chunks = numbers.map((n) => this.chunks.get(`${manifest.id}/${n}`));
        if (chunks.includes(undefined)) throw new Error('A chunk is missing');
        return decodeSnapshot(
          chunks.filter((chunk) => chunk !== undefined),
          manifest.checksum,
          manifest.markets,
        );
      },
    };
  }

  private async publish(snapshot: Snapshot): ReturnType<SnapshotPublisher['publish']> {
    const { id, asOf, entries, counts } = snapshot;
    const { chunks, checksum, bytes } = encodeSnapshot(entries, CHUNK_BYTES);
    const expiresAt = Math.ceil(this.around.clock.now() / 1_000) + KEPT_SECONDS;
    const about = { markets: entries.length, counts, chunks: chunks.length, checksum, expiresAt };
    this.truth.set(id, snapshot);
    await Promise.all(
      chunks.map(async (data, n) => {
        await this.write();
        this.chunks.set(`${id}/${n}`, data);
      }),
    );
    await this.write();
    if (this.pointer && this.pointer.asOf > asOf)
      return { outcome: 'superseded', bytes, chunks: chunks.length };
    this.pointer = { id, asOf, ...about, shrunkRuns: 0 };
    this.movedAt = this.around.clock.now();
    return { outcome: 'published', bytes, chunks: chunks.length };
  }

  private async read(): Promise<void> {
    await this.call();
    if (this.around.troubled('store refuses reads')) throw new Error('The store refuses');
  }

  private async write(): Promise<void> {
    const { dice, troubled } = this.around;
    await this.call();
    if (troubled('store refuses writes') && dice.chance(REFUSED_SHARE)) throw new Error('The store refuses');
    if (troubled('runs are killed') && dice.chance(REFUSED_SHARE)) {
      this.killed += 1;
      await new Promise(() => {}); // nothing of this run happens any more
    }
  }

  private async call(): Promise<void> {
    const { clock, dice, troubled } = this.around;
    await sleep(clock, dice.between(...(troubled('store slow') ? SLOW_MS : CALL_MS)));
  }
}
