import { RATE_LIMIT_KEYS } from '../../lambda/rate-limit/dynamodb-items.ts';
import { startTable, type TestTable } from './test-table.ts';

export function startRateLimitTable(): Promise<TestTable> {
  return startTable('rate-limits', {
    AttributeDefinitions: [{ AttributeName: RATE_LIMIT_KEYS.partition, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: RATE_LIMIT_KEYS.partition, KeyType: 'HASH' }],
  });
}
