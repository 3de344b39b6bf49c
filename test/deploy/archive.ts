/**
 * A step of `npm run test:deploy`, which deploys the stack to an emulator of AWS: the archive of a
 * stage. Each night a job copies the snapshots (all markets with their prices at one time) of the
 * day before into Parquet files in a bucket. Here the job runs at once.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { FromSchemaNamed } from '../../lambda/core/contract/schemas.ts';
import { DAY_MS } from '../../lambda/core/domain/time.ts';
import { ARCHIVE_FOLDER, SNAPSHOT_KEYS } from '../../lambda/io/platform/storage-layout.ts';
import { PUBLISHED_PARTITION } from '../../lambda/io/snapshots/snapshot-items.ts';
import { dayOf } from '../../lambda/jobs/archive/day.ts';
import { parquetRows } from '../support/parquet.ts';
import type { Emulator } from './emulator.ts';

type Market = FromSchemaNamed<'MarketWithAllFields'>;

/** An item of DynamoDB: `{ n: { N: '1764331200000' }, snapshotId: { S: 'a' } }`. */
type Item = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

/** The outputs of a stack by name, such as `ArchiveBucket`. */
export type Outputs = Readonly<Record<string, string>>;

/**
 * The archive of a deployed stage. For example:
 *
 *     const archive = new DeployedArchive(emulator, outputsOfTheStack);
 *     // The job archives a snapshot; its rows equal what callers get of this snapshot.
 *     await archive.check((id) => read(`/api/markets?snapshot=${id}&fields=all`));
 *     await archive.paths(); // ['index.json', 'manifest/date=2026-11-21.json', …]
 *     await archive.remove();
 */
export class DeployedArchive {
  readonly #emulator: Emulator;
  readonly #outputs: Outputs;

  constructor(emulator: Emulator, outputs: Outputs) {
    this.#emulator = emulator;
    this.#outputs = outputs;
  }

  /**
   * Runs the refresher, which writes a snapshot, moves this to the day before, runs the job, and
   * compares the files of the job with the snapshot.
   *
   * @param served returns the markets of a snapshot as callers get them
   */
  async check(served: (snapshot: string) => Promise<unknown>): Promise<string> {
    // The bucket rejects plain HTTP, which is all that the emulator speaks.
    const Bucket = this.#outputs.ArchiveBucket;
    await this.#emulator.call('s3', 'delete_bucket_policy', { Bucket });
    await this.#run(this.#outputs.RefresherName);
    const { id, asOf } = await this.#moveSnapshotToYesterday();
    const markets = ((await served(id)) as Market[]).sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.#run(this.#outputs.ArchiverName);

    const { date } = dayOf(asOf);
    await this.#checkPaths(date);
    await this.#checkManifest(date);
    await this.#checkPrices(date, asOf, markets);
    return `${markets.length} markets as callers get them`;
  }

  async #checkPaths(date: string): Promise<void> {
    const paths = (await this.paths()).filter((path) => !path.startsWith('claims/'));
    const parts = ['prices', 'markets', 'rules', 'outcomes', 'snapshots'].map(
      (name) => `${name}/date=${date}/${name}.parquet`,
    );
    const manifest = `manifest/date=${date}.json`;
    deepEqual(paths, ['index.json', 'state.json', 'state.next.json', manifest, ...parts].sort());
  }

  /** The index has the hash of the manifest, and the manifest has the origin of its data. */
  async #checkManifest(date: string): Promise<void> {
    const path = `manifest/date=${date}.json`;
    const index = await this.#read('index.json');
    const manifest = await this.#read(path);
    const sha256 = createHash('sha256').update(manifest).digest('hex');
    // A day with one snapshot is incomplete, which the archive calls degraded.
    const day = { date, condition: 'degraded', manifest: path, sha256 };
    deepEqual(JSON.parse(String(index)).days, [day]);
    const { upstream, stage, commit } = JSON.parse(String(manifest));
    ok(
      upstream === 'simulated' && stage && commit,
      'the manifest does not say where its data comes from',
    );
  }

  async #checkPrices(date: string, asOf: number, markets: readonly Market[]): Promise<void> {
    ok(markets.length > 0, 'the snapshot has no market');
    const rows = await parquetRows(await this.#read(`prices/date=${date}/prices.parquet`));
    deepEqual(
      rows.map((row) => [row.time, row.id, row.bid, row.ask, row.probability, row.volume]),
      markets.map(({ bestBid = null, bestAsk = null, currentProbability, ...market }) => {
        const probability = Number((currentProbability / 100).toFixed(5));
        return [new Date(asOf), market.id, bestBid, bestAsk, probability, market.volume];
      }),
    );
  }

  /** The files in the bucket. */
  async paths(): Promise<string[]> {
    const { Contents = [] } = await this.#emulator.call('s3', 'list_objects_v2', {
      Bucket: this.#outputs.ArchiveBucket,
    });
    const keys = (Contents as readonly { readonly Key: string }[]).map(({ Key }) => Key);
    for (const key of keys)
      ok(key.startsWith(ARCHIVE_FOLDER), `${key} is outside of the folder of the job`);
    return keys.map((key) => key.slice(ARCHIVE_FOLDER.length)).sort();
  }

  /** Empties and deletes the bucket, as a person would. */
  async remove(): Promise<void> {
    const Bucket = this.#outputs.ArchiveBucket;
    // The bucket keeps old versions, so each version is deleted by its own id.
    const { Versions } = await this.#emulator.call('s3', 'list_object_versions', { Bucket });
    const versions = Versions as readonly { readonly Key: string; readonly VersionId: string }[];
    const Objects = versions.map(({ Key, VersionId }) => ({ Key, VersionId }));
    await this.#emulator.call('s3', 'delete_objects', { Bucket, Delete: { Objects } });
    await this.#emulator.call('s3', 'delete_bucket', { Bucket });
  }

  async #run(FunctionName: string | undefined): Promise<void> {
    const { FunctionError } = await this.#emulator.call('lambda', 'invoke', { FunctionName });
    equal(FunctionError, undefined, `${FunctionName} failed`);
  }

  /**
   * Makes the newest snapshot a day older in the list of snapshots, which the table has in a
   * partition of its own, because the job archives only days that have ended.
   *
   * @returns the id of the snapshot, and its new time
   */
  async #moveSnapshotToYesterday(): Promise<{ readonly id: string; readonly asOf: number }> {
    const archiver = { FunctionName: this.#outputs.ArchiverName };
    const { Environment } = await this.#emulator.call(
      'lambda',
      'get_function_configuration',
      archiver,
    );
    const { Variables } = Environment as { readonly Variables: Readonly<Record<string, string>> };
    const TableName = Variables.SNAPSHOT_TABLE;
    const { partition, sort } = SNAPSHOT_KEYS;
    const { Items = [] } = await this.#emulator.call('dynamodb', 'query', {
      TableName,
      KeyConditionExpression: `${partition} = :published`,
      ExpressionAttributeValues: { ':published': { S: PUBLISHED_PARTITION } },
      ScanIndexForward: false,
      Limit: 1,
    });
    const [item] = Items as readonly Item[];
    ok(item, 'the refresher has listed no snapshot for the archive');
    const asOf = Number(item[sort]?.N) - DAY_MS;
    const moved = { ...item, [sort]: { N: String(asOf) } };
    await this.#emulator.call('dynamodb', 'put_item', { TableName, Item: moved });
    const Key = { [partition]: item[partition], [sort]: item[sort] };
    await this.#emulator.call('dynamodb', 'delete_item', { TableName, Key });
    return { id: item.snapshotId?.S ?? '', asOf };
  }

  async #read(path: string): Promise<Buffer> {
    const { Body } = await this.#emulator.call('s3', 'get_object', {
      Bucket: this.#outputs.ArchiveBucket,
      Key: `${ARCHIVE_FOLDER}${path}`,
    });
    return Buffer.from(String(Body), 'base64');
  }
}
