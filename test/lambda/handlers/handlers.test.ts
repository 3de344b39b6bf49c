import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { CreateHandler } from '../../../lambda/app/create-handler.ts';
import type { Handler } from '../../../lambda/app/http/pipeline.ts';
import { ROUTES, ROUTES_BY_FUNCTION, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { create } from '../../../lambda/handlers/get-order-book.ts';
import { systemClock } from '../../../lambda/io/platform/clock.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../../../lambda/io/platform/table-keys.ts';
import { listen } from '../../../local/simulator/listen.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../support/api-event.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { testMarkets, testSnapshot } from '../../support/markets.ts';
import { type StubUpstream, send, startStubUpstream } from '../../support/stub-upstream.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/test-table.ts';
import { TestWriter } from '../../support/test-writer.ts';

const CALLER = '198.51.100.10';
const markets = testMarkets(3).map((market) => ({ ...market, eventSlug: 'river-museum' }));
const [market] = markets;
const token = market?.clobTokenId ?? '';

let db: TestDynamoDb;
let environment: Record<string, string>;
let upstream: StubUpstream;
let folder: string;
let lines: string[];
const handlers = new Map<string, Handler>();

const BOOK = { asset_id: token, bids: [{ price: '0.4', size: '5' }], asks: [], tick_size: '0.01', neg_risk: false };

beforeAll(async () => {
  db = await startDynamoDb();
  upstream = await startStubUpstream();
  folder = await mkdtemp(join(tmpdir(), 'handlers-'));
  writeFileSync(join(folder, 'page.json'), JSON.stringify({ '/': { type: 'text/html', body: '<p>' } }));
  const snapshotTable = await db.table(SNAPSHOT_KEYS);
  environment = {
    ...db.environment,
    SNAPSHOT_TABLE: snapshotTable,
    RATE_LIMIT_TABLE: await db.table(RATE_LIMIT_KEYS),
    REQUESTS_PER_MINUTE: '60',
    RATE_LIMIT_TIMEOUT_MS: '2000',
    FRONT_DOOR: 'off',
    PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
    GAMMA_URL: upstream.url,
    CLOB_URL: upstream.url,
    DATA_URL: upstream.url,
    SERVICE_VERSION: 'v1.2.3',
    REFRESH_INTERVAL_SECONDS: '120',
    SIMULATED: 'on',
    PAGE_FILES: join(folder, 'page.json'),
    SITE_URL: '',
  };
  const writer = new TestWriter({ client: db.client, table: snapshotTable, clock: systemClock });
  await writer.publish(testSnapshot(markets, Date.now()));
  lines = captureOutput();
  // As the local server does it: all handlers in one process.
  for (const name of ROUTES_BY_FUNCTION.keys()) {
    const module = (await import(`../../../lambda/handlers/${name}.ts`)) as { create: CreateHandler };
    handlers.set(name, module.create(environment));
  }
});

afterAll(async () => {
  jest.restoreAllMocks();
  await upstream.close();
  await db.stop();
  await rm(folder, { recursive: true });
});

beforeEach(() => upstream.reply(send(BOOK)));

function call(route: RouteName, options: EventOptions = {}): Promise<APIGatewayProxyResult> {
  const name = [...ROUTES_BY_FUNCTION].find(([, routes]) => routes.includes(route))?.[0] ?? '';
  const handler = handlers.get(name);
  if (!handler) throw new Error(`${name} has no handler`);
  return handler(apiEvent({ path: ROUTES[route].path, sourceIp: CALLER, ...options }), {} as Context);
}

const TOKEN = { query: { token_id: [token] } };
const toolCall = (name: string, sent: object = {}): EventOptions => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }),
});

it('every handler has a file of its own, and every file belongs to a function', async () => {
  const files = (await readdir('lambda/handlers')).map((file) => file.replace('.ts', ''));
  const others = ['archive-snapshots', 'refresh-snapshot', 'watch-front-door'];
  expect(files.sort()).toEqual([...ROUTES_BY_FUNCTION.keys(), ...others].sort());
});

describe('the functions together', () => {
  it('respond from the published snapshot', async () => {
    expect(JSON.parse((await call('list-markets')).body)).toHaveLength(3);
    expect(JSON.parse((await call('get-status')).body)).toMatchObject({
      status: 'ok',
      markets: 3,
      version: 'v1.2.3',
      refreshIntervalSeconds: 120,
      simulated: true,
    });
    expect((await call('mcp', toolCall('get_market', { id: market?.id }))).body).toContain(market?.slug);
    const status = JSON.parse((await call('mcp', toolCall('market_status'))).body);
    expect(status.result.structuredContent).toMatchObject({ status: 'ok', simulated: true });
    const page = await call('get-market-page', { pathParameters: { slug: market?.slug ?? '' } });
    expect([page.statusCode, page.headers?.['Content-Type']]).toEqual([200, 'text/html']);
    const events = ['list-events', 'list-tags', 'get-order-book'] as const;
    for (const route of events) expect([route, (await call(route, TOKEN)).statusCode]).toEqual([route, 200]);
  });

  it('write to the limit once, because a write that is repeated would count twice', async () => {
    let writes = 0;
    const table = createServer((request, response) => {
      writes += 1;
      request.resume();
      response.writeHead(500, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{"__type":"InternalServerError"}');
    });
    const endpoint = await listen(table, 0);
    const limited = create({ ...environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    const event = apiEvent({ path: ROUTES['get-order-book'].path, sourceIp: CALLER, ...TOKEN });
    expect(await limited(event, {} as Context)).toMatchObject({ statusCode: 200 });
    expect(writes).toBe(1);
    table.closeAllConnections();
    table.close();
  });

  it('log a failure with its request, without addresses or keys', async () => {
    upstream.reply(send('down', 503));
    const other = { query: { token_id: ['7'] }, headers: { 'X-Viewer-Ip': CALLER, 'x-api-key': 'secret-key' } };
    expect((await call('get-order-book', other)).statusCode).toBe(502);
    const log = lines.join('\n');
    expect(log).toContain('"service":"get-order-book"');
    expect(log).toContain('"requestId":"request-1"');
    expect(log).not.toMatch(/198\.51\.100|203\.0\.113|secret-key|public-key/);
  });
});
