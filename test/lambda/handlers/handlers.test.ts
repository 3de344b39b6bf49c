// The Lambda functions as they are deployed. This file shows what only a whole function shows: that
// each has its file, how it uses the table of the rate limit, and what it logs.

import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { ROUTES, ROUTES_BY_FUNCTION } from '../../../lambda/core/contract/route-table.ts';
import { create } from '../../../lambda/handlers/get-order-book.ts';
import { RATE_LIMIT_KEYS } from '../../../lambda/io/platform/storage-layout.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../support/api-event.ts';
import { outputOfTest } from '../../support/captured-output.ts';
import { orderBook } from '../../support/order-book.ts';
import { send, startStubUpstream } from '../../support/stub-upstream.ts';
import { startDynamoDb } from '../../support/test-table.ts';

const CALLER = '198.51.100.10';
const BOOK = orderBook(['0.4'], [], { asset_id: '7' });

const lines = outputOfTest();
const db = await startDynamoDb();
const upstream = await startStubUpstream();
/** Responds in the place of DynamoDB. */
const failingTable = await startStubUpstream();
const environment = {
  ...db.environment,
  RATE_LIMIT_TABLE: await db.table(RATE_LIMIT_KEYS),
  REQUESTS_PER_MINUTE: '60',
  RATE_LIMIT_TIMEOUT_MS: '2000',
  FRONT_DOOR: 'off',
  PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
  CLOB_URL: upstream.url,
};

/** A request for the order book of token 7. */
const eventOf = (options: EventOptions = {}) =>
  apiEvent({
    path: ROUTES['get-order-book'].path,
    sourceIp: CALLER,
    query: { token_id: ['7'] },
    ...options,
  });

it('every function has a file with its name, and no other file is there', async () => {
  const entries = (await readdir('lambda/handlers')).filter((name) => name.endsWith('.ts'));
  const files = entries.map((file) => file.replace('.ts', ''));
  const scheduled = ['archive-snapshots', 'check-service', 'refresh-snapshot'];
  expect(files.sort()).toEqual([...ROUTES_BY_FUNCTION.keys(), ...scheduled].sort());
});

describe('a function', () => {
  it('writes to the limit once, because a write that is repeated would count twice', async () => {
    const amazonJson = { 'content-type': 'application/x-amz-json-1.0' };
    failingTable.reply(send({ __type: 'InternalServerError' }, 500, amazonJson));
    upstream.reply(send(BOOK));
    const handler = create({ ...environment, AWS_ENDPOINT_URL_DYNAMODB: failingTable.url });
    // The limit allows a request that it cannot count.
    expect(await handler(eventOf(), {} as Context)).toMatchObject({ statusCode: 200 });
    expect(failingTable.requests).toHaveLength(1);
  });

  it('logs a failure without addresses or keys', async () => {
    upstream.reply(send('down', 503));
    const headers = { 'X-Viewer-Ip': CALLER, 'x-api-key': 'secret-key' };
    const event = eventOf({ headers, sourceIp: '203.0.113.7' });
    expect(await create(environment)(event, {} as Context)).toMatchObject({
      statusCode: 502,
    });
    const log = lines.join('\n');
    expect(log).toContain('"service":"get-order-book"');
    expect(log).toContain('"requestId":"request-1"');
    // The addresses of the caller and of the front door, and both keys.
    for (const hidden of [CALLER, '203.0.113.7', 'secret-key', PUBLIC_KEY_ID]) {
      expect(log).not.toContain(hidden);
    }
  });
});
