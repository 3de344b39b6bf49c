import type { PointerInfo } from '../../lambda/io/snapshots/pointer-writer.ts';
import { type SnapshotDraft, SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';

type Options = ConstructorParameters<typeof SnapshotWriter>[0];
type OptionalHere = 'logger' | 'isArchived';
const NO_DEADLINE = Number.POSITIVE_INFINITY;

/**
 * The writer of snapshots, with defaults for tests: it writes no log and no archive, and has no
 * deadlines. For example, `await new TestWriter({ client, table, clock }).publish(snapshot)`.
 */
export class TestWriter extends SnapshotWriter {
  constructor(options: Omit<Options, OptionalHere> & Partial<Pick<Options, OptionalHere>>) {
    super({ logger: { warn: () => undefined }, isArchived: false, ...options });
  }

  override newest(deadline = NO_DEADLINE) {
    return super.newest(deadline);
  }

  override publish(snapshot: SnapshotDraft, deadline = NO_DEADLINE) {
    return super.publish(snapshot, deadline);
  }

  override recordShrunkRun(info: PointerInfo, deadline = NO_DEADLINE) {
    return super.recordShrunkRun(info, deadline);
  }
}
