import type { PointerInfo } from '../../lambda/io/snapshots/pointer-writer.ts';
import { type SnapshotDraft, SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';

type Options = ConstructorParameters<typeof SnapshotWriter>[0];
type Defaults = Pick<Options, 'logger' | 'isArchived'>;

/** Without archive, log and deadlines, unless a test passes them. */
export class TestWriter extends SnapshotWriter {
  constructor(options: Omit<Options, keyof Defaults> & Partial<Defaults>) {
    super({ logger: { warn: () => undefined }, isArchived: false, ...options });
  }

  override newest(deadline = Number.POSITIVE_INFINITY) {
    return super.newest(deadline);
  }

  override publish(snapshot: SnapshotDraft, deadline = Number.POSITIVE_INFINITY) {
    return super.publish(snapshot, deadline);
  }

  override recordShrunkRun(info: PointerInfo, deadline = Number.POSITIVE_INFINITY) {
    return super.recordShrunkRun(info, deadline);
  }
}
