/**
 * Writes the pointer: the item of the table that names the newest snapshot (all markets with their
 * prices at one time).
 */
import {
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  DAY_MS,
  expirySeconds,
  SECOND_MS,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { isConditionFailed } from '../platform/dynamodb-errors.ts';
import type { Log } from '../platform/telemetry.ts';
import {
  failureItem,
  type Item,
  pointerItem,
  publishedItem,
  readManifest,
  readShrunkRuns,
} from './snapshot-items.ts';
import type { RefreshFailure, SnapshotManifest } from './snapshot-manifest.ts';
import { SnapshotReader } from './snapshot-reader.ts';

export interface SnapshotWriterOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
  /** Lists snapshots for the archive and keeps them longer. */
  readonly isArchived: boolean;
}

/** The newest snapshot without its markets, and what has happened since. */
export interface PointerInfo extends Omit<SnapshotInfo, 'missing'> {
  /** Markets that the list should have and lacks. */
  readonly missing?: MissingMarkets;
  /** Later runs that did not publish because their catalogue had shrunk: it had too few markets. */
  readonly shrunkRuns: number;
}

type PutInput = Omit<PutItemCommandInput, 'TableName'>;

/** The reason of a failure is deleted after this time. */
const FAILURE_TTL_MS = DAY_MS;
/** After it has published, a run waits at most this long until the archive's list has the snapshot. */
const RECORD_TIMEOUT_MS = 2 * SECOND_MS;

/** When the pointer may move to another snapshot. */
const POINTER_CONDITION = [
  'attribute_not_exists(pk)', // the first snapshot
  '(asOf < :asOf AND catalogueAsOf <= :catalogueAsOf)', // neither goes back in time
  'snapshotId = :id', // a repeated write
  'asOf > :future', // a pointer from a clock that was too fast
].join(' OR ');

/**
 * Writes the pointer, and other small items about runs of the refresher. `SnapshotWriter` adds the
 * snapshots themselves.
 *
 * @throws TimeoutError after the deadline, or what the table throws
 */
export class PointerWriter {
  protected readonly options: SnapshotWriterOptions;
  protected readonly reader: SnapshotReader;

  constructor(options: SnapshotWriterOptions) {
    this.options = options;
    this.reader = new SnapshotReader(options);
  }

  /** Counts a run that did not publish because its catalogue had too few markets. */
  async recordShrunkRun({ id, shrunkRuns }: PointerInfo, deadline: UnixMs): Promise<void> {
    const item = await this.within(deadline, () => this.reader.pointer());
    const manifest = item && readManifest(item);
    if (manifest?.id !== id) return;
    const put = {
      Item: pointerItem(manifest, shrunkRuns + 1),
      ConditionExpression: 'snapshotId = :id',
      ExpressionAttributeValues: { ':id': { S: id } },
    };
    await this.#putIf(put, deadline);
  }

  /** Stores why a run failed, for `/api/status` while there is no snapshot. */
  async recordFailure(failure: RefreshFailure, deadline: UnixMs): Promise<void> {
    const expiresAt = expirySeconds(this.options.clock.now(), FAILURE_TTL_MS);
    await this.put({ Item: failureItem(failure, expiresAt) }, deadline);
  }

  /**
   * Moves the pointer to a snapshot.
   *
   * @param pointer the pointer's item before
   * @returns false if another run has published a newer snapshot
   */
  protected async movePointer(
    manifest: SnapshotManifest,
    pointer: Item | undefined,
    deadline: UnixMs,
  ): Promise<boolean> {
    const previous = pointer && readManifest(pointer);
    // New prices do not confirm a catalogue, so its count of shrunken runs stays.
    const isSameCatalogue = previous?.catalogueAsOf === manifest.catalogueAsOf;
    const shrunkRuns = pointer && isSameCatalogue ? readShrunkRuns(pointer) : 0;
    const item = pointerItem(manifest, shrunkRuns);
    // Replaces an unreadable pointer, whatever its times.
    if (pointer && !previous) return await this.#putIf({ Item: item }, deadline);
    const future = this.options.clock.now() + CLOCK_TOLERANCE_SECONDS * SECOND_MS;
    const put = {
      Item: item,
      ConditionExpression: POINTER_CONDITION,
      ExpressionAttributeValues: {
        ':asOf': { N: String(manifest.asOf) },
        ':catalogueAsOf': { N: String(manifest.catalogueAsOf) },
        ':id': { S: manifest.id },
        ':future': { N: String(future) },
      },
    };
    return await this.#putIf(put, deadline);
  }

  /**
   * Lists a published snapshot for the archive. Never throws: without the item, the archive finds
   * the snapshot through the next one.
   */
  protected async recordPublished(
    info: Pick<SnapshotInfo, 'id' | 'asOf'>,
    expiresAt: UnixSeconds,
    deadline: UnixMs,
  ): Promise<void> {
    const { clock, logger } = this.options;
    try {
      const item = publishedItem(info, clock.now(), expiresAt);
      await this.put({ Item: item }, Math.min(deadline, clock.now() + RECORD_TIMEOUT_MS));
    } catch (error) {
      logger.warn('The archive will not find this snapshot in its list', { id: info.id, error });
    }
  }

  /** Writes an item. */
  protected async put(input: PutInput, deadline: UnixMs): Promise<void> {
    const { client, table } = this.options;
    const command = new PutItemCommand({ TableName: table, ...input });
    await this.within(deadline, (abortSignal) => client.send(command, { abortSignal }));
  }

  /** Writes an item on a condition. @returns false if the condition does not hold */
  async #putIf(input: PutInput, deadline: UnixMs): Promise<boolean> {
    try {
      await this.put(input, deadline);
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return false;
      throw error;
    }
  }

  /** Does work that ends before the deadline. */
  protected within<T>(deadline: UnixMs, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.options;
    return withTimeout(clock, deadline - clock.now(), work);
  }
}
