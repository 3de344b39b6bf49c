import { snapshotId } from '../../lambda/domain/snapshot.ts';
import type { DecodedSnapshot } from '../../lambda/snapshots/codec.ts';
import { baseKey, chunkKey, type Manifest, POINTER_KEY } from '../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader, type SnapshotSource } from '../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../lambda/snapshots/snapshot-writer.ts';
import type { ManualClock } from './manual-clock.ts';
import { MemoryTable } from './memory-table.ts';
import { snapshotEntry } from './snapshot-entry.ts';

const KEPT_SECONDS = 3_600;

/**
 * The store as it is, over a table in memory that passes the same tests as DynamoDB (snapshot-writer.store.test.ts).
 * It notes what its readers ask for, and can be told to fail.
 */
export class MemorySnapshotStore implements SnapshotSource {
  readonly #table = new MemoryTable();
  readonly #reader: SnapshotReader;
  readonly #calls: string[] = [];
  /** The table throttles, or is down. */
  failLatest = false;
  failFind = false;
  failRead = false;
  /** Reading a snapshot waits for it. */
  pause: Promise<void> = Promise.resolve();
  /** What a look has found waits for it. */
  pauseLatest: Promise<void> = Promise.resolve();

  constructor(clock: ManualClock) {
    const { client, table } = this.#table;
    this.#reader = new SnapshotReader({ client, table, now: clock.now });
  }

  /**
   * By a run of its own, whose clock is that of the snapshot.
   *
   * @param asOf ms
   */
  async publish(asOf: number, markets = 1): Promise<Manifest> {
    const { client, table } = this.#table;
    const writer = new SnapshotWriter({ client, table, now: () => asOf, keptSeconds: KEPT_SECONDS });
    const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
    const entries = Array.from({ length: markets }, (_, n) => snapshotEntry(n));
    await writer.publish({ id: snapshotId(asOf, Math.random), asOf, entries, counts });
    const manifest = await this.#reader.latest();
    if (!manifest) throw new Error('The pointer was not written');
    return manifest;
  }

  /** What a snapshot needs is there no longer, though the pointer and, without its base, its manifest still are. */
  lose({ id, base }: Manifest, part: 'base' | 'chunk'): void {
    this.#table.drop(part === 'base' ? baseKey(base?.id ?? '', 0) : chunkKey(id, 0));
  }

  /** As if nothing had ever been published. */
  losePointer(): void {
    this.#table.drop(POINTER_KEY);
  }

  async latest(): Promise<Manifest | undefined> {
    this.#called('latest', this.failLatest);
    const pause = this.pauseLatest;
    const found = await this.#reader.latest();
    await pause;
    return found;
  }

  async find(id: string): Promise<Manifest | undefined> {
    this.#called('find', this.failFind);
    return await this.#reader.find(id);
  }

  async read(manifest: Manifest): Promise<DecodedSnapshot> {
    this.#called('read', this.failRead);
    await this.pause;
    return await this.#reader.read(manifest);
  }

  /** What was asked for since the last time. */
  take(): string[] {
    return this.#calls.splice(0);
  }

  #called(call: string, fails: boolean): void {
    this.#calls.push(call);
    if (fails) throw new Error('DynamoDB is not there');
  }
}
