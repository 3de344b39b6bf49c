import { setTimeout as wait } from 'node:timers/promises';
import { GetItemCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from '@jest/globals';
import { chunkKey, SNAPSHOT_KEYS } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { startSnapshotTable } from '../../../support/snapshot-table.ts';

/** The embedded DynamoDB never deletes; the emulator of the deploy test sweeps once a minute, AWS within days. */
const whereItemsExpire = process.env.DYNAMODB_ENDPOINT ? it : it.skip;
const SWEPT_WITHIN_MS = 90_000;

whereItemsExpire(
  'chunks that have expired are deleted, the pointer and what is still kept are not',
  async () => {
    const database = await startSnapshotTable();
    const { client, sdk, table } = database;
    await sdk.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { AttributeName: SNAPSHOT_KEYS.ttl, Enabled: true },
      }),
    );
    const publish = async (id: string, asOf: number, keptSeconds: number) => {
      const counts = { skipped: 0, withOneDayChange: 1, cataloguePriced: 0 };
      const writer = new SnapshotWriter({ client, table, now: () => asOf, keptSeconds });
      await writer.publish({ id, asOf, entries: [snapshotEntry(1)], counts });
    };
    const isThere = async (id: string) =>
      (await sdk.send(new GetItemCommand({ TableName: table, Key: chunkKey(id, 0) }))).Item !== undefined;
    const now = Date.now();
    const [expired, kept] = ['20261121T120000000Z-00000001', '20261121T120000000Z-00000002'];
    await publish(expired, now - 7_200_000, 3_600);
    await publish(kept, now, 3_600);

    const end = now + SWEPT_WITHIN_MS;
    while ((await isThere(expired)) && Date.now() < end) await wait(1_000);
    expect([await isThere(expired), await isThere(kept)]).toEqual([false, true]);
    expect(await new SnapshotReader({ client, table, now: Date.now }).latest()).toMatchObject({ id: kept });
    await database.close();
  },
  SWEPT_WITHIN_MS + 20_000,
);
