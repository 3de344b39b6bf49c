import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { snapshotId } from '../../../lambda/domain/snapshot.ts';
import { baseKey, chunkKey, isCurrent, termsKey } from '../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../lambda/snapshots/snapshot-writer.ts';
import { manyEntries } from '../../support/many-entries.ts';
import { startSnapshotTable, type TestTable } from '../../support/snapshot-table.ts';

/** DynamoDB's limit for an item with its names and values. */
const ITEM_BYTES = 400 * 1_024;
const NOW = Date.parse('2026-11-21T12:00:00Z');

let database: TestTable;
beforeAll(async () => {
  database = await startSnapshotTable();
});
afterAll(() => database.close());

it.each([20_000])(
  'the store keeps %i markets in chunks that fit into items, and gives them back as they were',
  async (markets) => {
    const asOf = NOW + markets;
    const now = () => asOf;
    const entries = manyEntries(markets);
    const id = snapshotId(asOf, Math.random);
    const counts = { skipped: 0, withOneDayChange: markets, cataloguePriced: 0 };
    const writer = new SnapshotWriter({ ...database, now, keptSeconds: 3_600 });
    const { outcome, chunks } = await writer.publish({ id, asOf, entries, counts });
    expect(outcome).toBe('published');

    const reader = new SnapshotReader({ ...database, now });
    const manifest = await reader.latest();
    if (!manifest?.base || !isCurrent(manifest.base)) throw new Error('No pointer, or no base');
    const { base } = manifest;
    expect(manifest.chunks + base.markets.chunks + base.terms.chunks).toBe(chunks);
    expect(manifest).toMatchObject({ id, markets });
    expect(base.markets.chunks).toBeGreaterThan(2);
    const keys = [
      ...Array.from({ length: base.markets.chunks }, (_, n) => baseKey(base.id, n)),
      ...Array.from({ length: base.terms.chunks }, (_, n) => termsKey(base.id, n)),
      ...Array.from({ length: manifest.chunks }, (_, n) => chunkKey(id, n)),
    ];
    const { sdk, table } = database;
    for (const Key of keys) {
      const { Item } = await sdk.send(new GetItemCommand({ TableName: table, Key }));
      const text = Item?.manifest?.S?.length ?? 0;
      expect((Item?.data?.B?.length ?? 0) + text + 200).toBeLessThan(ITEM_BYTES);
    }

    const { list, records } = await reader.read(manifest);
    expect(list.length).toBe(markets);
    // Booleans: nobody wants to read the difference of two texts of 20 MB.
    expect(
      list.slice(0, markets) === `[${entries.map(({ market }) => JSON.stringify(market)).join(',\n')}]`,
    ).toBe(true);
    expect(records.length).toBe(markets);
  },
  120_000,
);
