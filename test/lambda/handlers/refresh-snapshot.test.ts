// The Lambda function that refreshes the data. A schedule starts a full run, which reads the
// catalogue and the prices, or a price run (`kind: 'prices'`), which reads the prices of the same
// markets again. Here, it runs with a simulated Polymarket and an in-memory DynamoDB.

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { create } from '../../../lambda/handlers/refresh-snapshot.ts';
import { systemClock } from '../../../lambda/io/platform/clock.ts';
import { SNAPSHOT_KEYS } from '../../../lambda/io/platform/storage-layout.ts';
import { startSimulator } from '../../../local/simulator/index.ts';
import { outputOfTest } from '../../support/captured-output.ts';
import { send, startStubUpstream } from '../../support/stub-upstream.ts';
import { startDynamoDb } from '../../support/test-table.ts';
import { TestWriter } from '../../support/test-writer.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

const lines = outputOfTest();
const db = await startDynamoDb();
const throttledTable = await startStubUpstream();
const upstream = await startSimulator({ markets: 600, lifecycle: false });
const table = await db.table(SNAPSHOT_KEYS);
const environment = {
  ...db.environment,
  SNAPSHOT_TABLE: table,
  GAMMA_URL: upstream.url,
  CLOB_URL: upstream.url,
  DATA_URL: upstream.url,
  MAX_MARKETS: '450',
  ARCHIVE: 'off',
};
const writer = new TestWriter({ client: db.client, table, clock: systemClock });

/** The context of Lambda for a run that has this many ms left. */
const contextWith = (leftMs: number) => ({
  awsRequestId: 'request-1',
  getRemainingTimeInMillis: () => leftMs,
});
const context = contextWith(118_000);

/** The snapshot that the last run published. */
const newest = async () => {
  const found = await writer.newest();
  if (!found) throw new Error('There is no snapshot');
  return found;
};

afterAll(() => upstream.stop());

describe('the refresher in one container', () => {
  /** Records the pause before a price run, in ms, and the routes that were called until its end. */
  const pause = jest.fn(async (_ms: number) => {
    // A call that does not wait for the pause arrives in this time.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Object.keys(upstream.calls());
  });
  const handler = create(environment, async (ms) => void (await pause(ms)));
  type Snapshot = Awaited<ReturnType<typeof newest>>;
  let fullRun: Snapshot;
  let priceRun: Snapshot;
  let calledRoutes: string[];

  beforeAll(async () => {
    await handler(undefined, context);
    fullRun = await newest();
    upstream.clearCalls();
    await handler({ kind: 'prices' }, context);
    priceRun = await newest();
    calledRoutes = Object.keys(upstream.calls());
  });

  // A full run reads prices some seconds after its start, because the catalogue comes first.
  it('waits 2 s before a price run, so that prices are read at even intervals', async () => {
    expect(pause.mock.calls[0]).toEqual([2_000]);
    expect(await pause.mock.results[0]?.value).toEqual([]);
  });

  it('reads only books and last trades in a price run', () => {
    expect(calledRoutes).toEqual(['prices', 'last-trades-prices']);
  });

  it('publishes newer prices of the same markets in a price run', () => {
    expect(priceRun.info.asOf).toBeGreaterThan(fullRun.info.asOf);
    const { catalogueAsOf } = fullRun.info;
    expect(priceRun.info).toMatchObject({ catalogueAsOf, markets: 450 });
    expect(priceRun.markets.map(({ id }) => id)).toEqual(fullRun.markets.map(({ id }) => id));
  });

  it('publishes changes in the second run, because the first does not wait for histories', () => {
    const { counts } = priceRun.info;
    expect(counts.withOneDayChange).toBeGreaterThan(400);
    expect(typeof priceRun.markets[0]?.thirtyDayPriceChange).toBe('number');
    const withWeek = priceRun.markets.filter((market) => 'sevenDayPriceChange' in market).length;
    const withMonth = priceRun.markets.filter((market) => 'thirtyDayPriceChange' in market).length;
    expect(counts).toMatchObject({ withSevenDayChange: withWeek, withThirtyDayChange: withMonth });
    // If they were equal, the test could not tell one count from the other.
    expect(withMonth).not.toBe(withWeek);
  });

  it('fails with the error of the upstream, and names it in the log', async () => {
    for (const route of ['prices', 'gamma'] as const) {
      upstream.addFault({ route, kind: 'status', status: 400 });
    }
    // A price run that cannot read prices becomes a full run, which begins with the catalogue.
    const failing = handler({ kind: 'prices' }, contextWith(6_000));
    await expect(failing).rejects.toThrow('markets-keyset');
    upstream.clearFaults();
    const line = lines.find((text) => text.includes('"message":"Refresh failed"'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'ERROR',
      requestId: 'request-1',
      kind: 'prices',
    });
  });
});

it('a run makes six attempts of a call that the table throttles', async () => {
  const throttled = {
    __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
    message: 'busy',
  };
  throttledTable.reply(send(throttled, 400, { 'content-type': 'application/x-amz-json-1.0' }));
  // The SDK multiplies its pauses by a random number. Here, they take no time.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  const refresh = create({ ...environment, AWS_ENDPOINT_URL_DYNAMODB: throttledTable.url });
  await expect(refresh(undefined, context)).rejects.toThrow('busy');
  random.mockRestore();
  // All attempts of a call have its invocation id.
  const ids = throttledTable.requests.map(({ headers }) => headers['amz-sdk-invocation-id']);
  expect(ids.filter((id) => id === ids[0])).toHaveLength(6);
});
