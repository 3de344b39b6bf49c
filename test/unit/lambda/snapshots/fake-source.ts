import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { BrokenSnapshotError } from '../../../../lambda/snapshots/broken-snapshot-error.ts';
import { type DecodedSnapshot, TableSnapshot } from '../../../../lambda/snapshots/codec.ts';
import type { Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { tableOf } from '../../../../lambda/snapshots/market-table.ts';
import { SnapshotCache } from '../../../../lambda/snapshots/snapshot-cache.ts';
import type { SnapshotSource } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

/** A store in memory that counts and can be told to fail. */
export class FakeSource implements SnapshotSource {
  pointer: Manifest | undefined;
  readonly kept = new Map<string, Manifest>();
  readonly log: string[] = [];
  failLatest = false;
  /** The table throttles, or is down. */
  failFind = false;
  failRead = false;
  /** A chunk is missing, or is not what was written. */
  broken = false;
  pause: Promise<void> = Promise.resolve();

  publish(asOf: number, markets = 1): Manifest {
    const manifest: Manifest = {
      id: snapshotId(asOf, Math.random),
      asOf,
      markets,
      counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
      chunks: 1,
      checksum: '',
      expiresAt: asOf / 1_000 + 3_600,
    };
    this.kept.set(manifest.id, manifest);
    this.pointer = manifest;
    return manifest;
  }

  async latest() {
    this.log.push('latest');
    if (this.failLatest) throw new Error('DynamoDB is not there');
    return this.pointer;
  }

  async find(id: string) {
    this.log.push('find');
    if (this.failFind) throw new Error('DynamoDB is not there');
    return this.kept.get(id);
  }

  async read(manifest: Manifest): Promise<DecodedSnapshot> {
    this.log.push('read');
    await this.pause;
    if (this.failRead) throw new Error('DynamoDB is not there');
    if (this.broken) throw new BrokenSnapshotError('A chunk is missing');
    const entries = Array.from({ length: manifest.markets }, (_, n) => snapshotEntry(n));
    return new TableSnapshot(tableOf(entries));
  }

  take(): string[] {
    return this.log.splice(0);
  }
}

/** A cache over such a store, on a clock that stands still. */
export function setup(staleIfErrorSeconds = 0) {
  const clock = new ManualClock();
  const source = new FakeSource();
  const problems: string[] = [];
  let views = 0;
  const cache = new SnapshotCache({
    source,
    clock,
    rule: { freshSeconds: 120, staleIfErrorSeconds },
    view: ({ list }) => {
      views += 1;
      return list;
    },
    onProblem: (message) => problems.push(message),
  });
  return { clock, source, cache, problems, viewsMade: () => views };
}

/** The code of the error that it rejects with, or `responded`. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => 'responded',
    (error: { code?: string }) => error.code,
  );
}
