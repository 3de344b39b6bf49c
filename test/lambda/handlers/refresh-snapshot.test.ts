// The Lambda function that refreshes the data. A schedule starts a full run, which reads the
// catalogue and the prices, or a price run (`kind: 'prices'`), which reads the prices of the same
// markets again. Here, it runs with a simulated Polymarket and an in-memory DynamoDB.

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
/**
 * A price run begins with a pause, so that prices are read at even intervals. `pause` records its
 * length, and the routes of upstream that were called until its end.
 */
const pauses: { readonly ms: number; readonly calledRoutes: readonly string[] }[] = [];
const pause = async (ms: number): Promise<void> => {
  // A call that does not wait for the pause would be counted by then.
  await new Promise((resolve) => setTimeout(resolve, 100));
  pauses.push({ ms, calledRoutes: Object.keys(upstream.calls()) });
};

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

const handler = create(environment, pause);
// A full run, which publishes the first snapshot.
beforeAll(() => handler(undefined, context));
beforeEach(() => void pauses.splice(0));
afterAll(() => upstream.stop());

describe('the refresher in one container', () => {
  it('publishes new prices of the same markets in a price run, and changes', async () => {
    const before = await newest();
    upstream.clearCalls();
    await handler({ kind: 'prices' }, context);
    expect(pauses).toEqual([{ ms: 2_000, calledRoutes: [] }]);
    expect(Object.keys(upstream.calls())).toEqual(['prices', 'last-trades-prices']);
    const { info, markets } = await newest();
    expect(info.asOf).toBeGreaterThan(before.info.asOf);
    expect(info).toMatchObject({ catalogueAsOf: before.info.catalogueAsOf, markets: 450 });
    expect(markets.map(({ id }) => id)).toEqual(before.markets.map(({ id }) => id));
    // The first run does not wait for the histories, so their changes appear now.
    expect(info.counts.withOneDayChange).toBeGreaterThan(400);
    expect(typeof markets[0]?.thirtyDayPriceChange).toBe('number');
    const withWeek = markets.filter((market) => 'sevenDayPriceChange' in market);
    const withMonth = markets.filter((market) => 'thirtyDayPriceChange' in market);
    expect(withMonth.length).not.toBe(withWeek.length);
    expect(info.counts).toMatchObject({
      withSevenDayChange: withWeek.length,
      withThirtyDayChange: withMonth.length,
    });
  });

  it('fails with the error of the upstream, and names it in the log', async () => {
    for (const route of ['prices', 'gamma'] as const) {
      upstream.addFault({ route, kind: 'status', status: 400 });
    }
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
