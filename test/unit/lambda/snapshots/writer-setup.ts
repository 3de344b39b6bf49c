import { type Snapshot, type SnapshotEntry, snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable, type MemoryTableOptions } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import type { StoreStep } from '../../../support/store-fault.ts';

export const KEPT_SECONDS = 3_600;
export const ENTRIES = [{ ...snapshotEntry(1), midpoint: 0.4505 }, snapshotEntry(2)];

/** Containers of the refresher over one table in memory, on a clock that stands still. */
export function setup(options: MemoryTableOptions = {}) {
  const clock = new ManualClock();
  const steps: StoreStep[] = [];
  const memory = new MemoryTable({
    ...options,
    before: async (step) => {
      steps.push(step);
      await options.before?.(step);
    },
  });
  const container = () =>
    new SnapshotWriter({
      client: memory.client,
      table: memory.table,
      now: clock.now,
      clock,
      keptSeconds: KEPT_SECONDS,
    });
  const snapshot = (entries: readonly SnapshotEntry[] = ENTRIES, more: Partial<Snapshot> = {}): Snapshot => ({
    id: snapshotId(more.asOf ?? clock.now(), Math.random),
    asOf: clock.now(),
    entries,
    counts: { skipped: 1, withOneDayChange: 2, cataloguePriced: 3 },
    ...more,
  });
  return { clock, memory, steps, container, snapshot };
}
