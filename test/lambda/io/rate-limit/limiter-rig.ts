import { type DynamoDBClient, type GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, jest } from '@jest/globals';
import { RATE_LIMIT_KEYS } from '../../../../lambda/io/platform/storage-layout.ts';
import { RateLimiter } from '../../../../lambda/io/rate-limit/rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startDynamoDb } from '../../../support/test-table.ts';

/** The address whose requests most tests count. */
export const ADDRESS = '198.51.100.10';
/** A limiter waits this long for a call to the table. */
export const TIMEOUT_MS = 2_000;

/**
 * Containers of the API, each with a rate limiter, which counts the requests of an address. They
 * share a clock and a table in DynamoDB Local, which are new in each test. For example, containers
 * count together:
 *
 *     const rig = await limiterRig();
 *     it('counts across containers', async () => {
 *       await rig.container({ limit: 1 }).limiter.check(ADDRESS);
 *       const { limiter } = rig.container({ limit: 1 });
 *       expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: false });
 *     });
 */
export async function limiterRig() {
  const rig = new LimiterRig(await startDynamoDb());
  beforeEach(async () => {
    rig.clock = new ManualClock();
    await rig.newTable();
  });
  return rig;
}

class LimiterRig {
  clock = new ManualClock();
  table = '';
  readonly #database: Awaited<ReturnType<typeof startDynamoDb>>;

  constructor(database: Awaited<ReturnType<typeof startDynamoDb>>) {
    this.#database = database;
  }

  /** The client of the table. */
  get client(): DynamoDBClient {
    return this.#database.client;
  }

  async newTable(): Promise<void> {
    this.table = await this.#database.table(RATE_LIMIT_KEYS);
  }

  /** A container with a memory of its own. Its limiter allows `limit` requests in any 60 s. */
  container({ limit = 60, client = this.client as Pick<DynamoDBClient, 'send'> } = {}) {
    const logger = { info: jest.fn(), warn: jest.fn() };
    const metrics = { add: jest.fn(), flush: jest.fn() };
    const { clock, table } = this;
    const parts = { client, table, clock, logger, metrics };
    return {
      limiter: new RateLimiter({ ...parts, limit, timeoutMs: TIMEOUT_MS }),
      logger,
      metrics,
    };
  }

  /** The items of the table: one for each address. */
  async items() {
    return (await this.client.send(new ScanCommand({ TableName: this.table }))).Items ?? [];
  }

  /** Makes a call to the table. For clients that answer only some calls themselves. */
  pass = (command: unknown) => this.client.send(command as GetItemCommand);
}

/** An error of AWS with this name. */
export const awsError = (name: string, fields: object = {}): Error =>
  Object.assign(new Error(name), { name, ...fields });
