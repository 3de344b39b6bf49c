import { SNAPSHOT_KEYS } from '../../lambda/snapshots/dynamodb-items.ts';
import { startTable, type TestTable } from './test-table.ts';

export type { TestTable };

export function startSnapshotTable(): Promise<TestTable> {
  return startTable('snapshots', {
    AttributeDefinitions: [
      { AttributeName: SNAPSHOT_KEYS.partition, AttributeType: 'S' },
      { AttributeName: SNAPSHOT_KEYS.sort, AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: SNAPSHOT_KEYS.partition, KeyType: 'HASH' },
      { AttributeName: SNAPSHOT_KEYS.sort, KeyType: 'RANGE' },
    ],
  });
}
