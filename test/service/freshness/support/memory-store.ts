import type { Snapshot } from '../../../../lambda/domain/snapshot.ts';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { SnapshotReader, type SnapshotSource } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import type { HourContext } from './slow-upstreams.ts';

const CALL_MS: readonly [number, number] = [3, 30];
const SLOW_MS: readonly [number, number] = [200, 1_000];
const KEPT_SECONDS = 3_600;
/** Of one write while the store refuses, or while runs are killed. */
const REFUSED_SHARE = 0.3;

/** The store as it is, over a table in memory that is slow, refuses and kills as the hour has it. */
export class MemoryStore {
  /** Every snapshot that a run began to publish, by its id: nothing else may ever be read. */
  readonly truth = new Map<string, Snapshot>();
  /** Publishers whose run was killed on the way. */
  killed = 0;
  /** When the pointer last moved, ms. */
  movedAt = Number.NEGATIVE_INFINITY;
  readonly publisher: SnapshotPublisher;
  readonly #context: HourContext;
  readonly #table: MemoryTable;

  constructor(context: HourContext) {
    this.#context = context;
    this.#table = new MemoryTable({
      before: (step) => (step.startsWith('read') ? this.#read() : this.#write()),
      written: (step) => {
        if (step === 'write pointer') this.movedAt = context.clock.now();
      },
    });
    const writer = new SnapshotWriter({
      client: this.#table.client,
      table: this.#table.table,
      now: context.clock.now,
      clock: context.clock,
      keptSeconds: KEPT_SECONDS,
    });
    this.publisher = {
      latest: (deadline) => writer.latest(deadline),
      newest: (deadline) => writer.newest(deadline),
      publish: (snapshot, deadline) => {
        this.truth.set(snapshot.id, snapshot);
        return writer.publish(snapshot, deadline);
      },
      recordShrunkRun: (published, deadline) => writer.recordShrunkRun(published, deadline),
    };
  }

  /** The readers' side, for one container. */
  source(): SnapshotSource {
    const { client, table } = this.#table;
    return new SnapshotReader({ client, table, now: this.#context.clock.now });
  }

  async #read(): Promise<void> {
    await this.#call();
    if (this.#context.troubled('store refuses reads')) throw new Error('The store refuses');
  }

  async #write(): Promise<void> {
    const { dice, troubled } = this.#context;
    await this.#call();
    if (troubled('store refuses writes') && dice.chance(REFUSED_SHARE)) throw new Error('The store refuses');
    if (troubled('runs are killed') && dice.chance(REFUSED_SHARE)) {
      this.killed += 1;
      await new Promise(() => {}); // nothing of this run happens any more
    }
  }

  async #call(): Promise<void> {
    const { clock, dice, troubled } = this.#context;
    await sleep(clock, dice.between(...(troubled('store slow') ? SLOW_MS : CALL_MS)));
  }
}
