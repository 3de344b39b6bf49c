import { type DynamoDBClient, type GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, jest } from '@jest/globals';
import { RATE_LIMIT_KEYS } from '../../../../lambda/io/platform/storage-layout.ts';
import { RateLimiter } from '../../../../lambda/io/rate-limit/rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startDynamoDb } from '../../../support/test-table.ts';

/** The address whose requests most tests count. */
export const ADDRESS = '198.51.100.10';
export const TIMEOUT_MS = 2_000;

/**
 * Containers that share a table in DynamoDB Local and nothing else. Each test has a new table. For
 * example:
 *
 *     const rig = await limiterRig();
 *     it('counts across containers', async () => {
 *       await rig.container({ limit: 1 }).limiter.check(ADDRESS);
 *       const { limiter } = rig.container({ limit: 1 });
 *       expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: false });
 *     });
 */
export async function limiterRig() {
  const { client: database, table: newTable } = await startDynamoDb();
  const rig = {
    clock: new ManualClock(),
    table: '',
    database,
    newTable: async () => {
      rig.table = await newTable(RATE_LIMIT_KEYS);
    },
    /** A container with a memory of its own. Its limiter allows `limit` requests in any 60 s. */
    container: ({ limit = 60, client = database as Pick<DynamoDBClient, 'send'> } = {}) => {
      const logger = { info: jest.fn(), warn: jest.fn() };
      const metrics = { add: jest.fn(), flush: jest.fn() };
      const { clock, table } = rig;
      const parts = { client, table, clock, logger, metrics };
      return {
        limiter: new RateLimiter({ ...parts, limit, timeoutMs: TIMEOUT_MS }),
        logger,
        metrics,
      };
    },
    items: async () => (await database.send(new ScanCommand({ TableName: rig.table }))).Items ?? [],
    /** Makes a call to the table, for a client that answers only some calls itself. */
    pass: (command: unknown) => database.send(command as GetItemCommand),
  };
  beforeEach(async () => {
    rig.clock = new ManualClock();
    await rig.newTable();
  });
  return rig;
}

/** An error of AWS with this name. */
export const named = (name: string, fields: object = {}): Error =>
  Object.assign(new Error(name), { name, ...fields });
