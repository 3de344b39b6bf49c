/**
 * `node test/fleet/main.ts` runs the deployed bundles in 12 processes over one database, without API Gateway. Callers send
 * the requests that cost the upstream most. The simulator counts the calls of each route.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { REQUESTS_PER_MINUTE } from '../../lambda/core/contract/constants.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { UPSTREAMS, type UpstreamRoute } from '../../lambda/io/upstream/upstreams.ts';
import { SNAPSHOT_TABLE } from '../../local/database.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { listen } from '../../local/simulator/listen.ts';
import { PUBLIC_KEY_ID } from '../support/api-event.ts';
import { testMarkets, testSnapshot } from '../support/markets.ts';
import { bundleFunctions, type Container, type FleetRequest, startContainer } from './containers.ts';
import { type Kind, requestsOf, type UpstreamNames, upstreamNames } from './requests.ts';

const CONTAINERS = 12;
/** Half of what upstream documents (docs/upstream.md); test/lambda/io/upstream/upstreams.test.ts compares them. */
const LIMITS: Readonly<Record<string, UpstreamRoute>> = { ...UPSTREAMS.gamma.routes, ...UPSTREAMS.data.routes };
const EMPTY_WINDOW_MS = 11_000;

interface Answer {
  readonly request: FleetRequest;
  readonly result: APIGatewayProxyResult;
}

const address = (client: number) => `198.51.100.${client}`;

/** Sends the requests of one client from each container, one after the other. */
async function send(containers: readonly Container[], requests: readonly FleetRequest[], client: number) {
  const waiting = requests.map((request) => ({ ...request, headers: { 'x-viewer-ip': address(client) } }));
  const answers: Answer[] = [];
  await Promise.all(
    containers.map(async (container) => {
      for (let request = waiting.shift(); request; request = waiting.shift()) {
        answers.push({ request, result: await container.request(request) });
      }
    }),
  );
  return answers;
}

function statusesOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(answers, ({ request, result }) => `${request.function} ${result.statusCode}`);
  return Object.fromEntries([...groups].map(([name, some]) => [name, some.length]).sort());
}

/** Reports what happened, and checks the calls against half of each limit. */
function checkCalls(what: string, simulator: Simulator, answers: readonly Answer[]): void {
  const calls = Object.entries(simulator.calls());
  console.log(`${what}: ${JSON.stringify(statusesOf(answers))}`);
  console.log(
    `  most calls in 10 s: ${calls.map(([name, { mostIn10Seconds: most }]) => `${name} ${most}`).join(', ')}`,
  );
  for (const [name, { mostIn10Seconds }] of calls) {
    const limit = LIMITS[name]?.callsPer10Seconds ?? Number.POSITIVE_INFINITY;
    assert.ok(mostIn10Seconds <= limit, `${what}: ${mostIn10Seconds} calls of ${name} in 10 s, more than ${limit}`);
  }
  simulator.clearCalls();
}

/** An answer is right, or it says truthfully that the service has no room. */
function checkAnswers(answers: readonly Answer[]): void {
  for (const { request, result } of answers) {
    const code = result.statusCode === 200 ? undefined : JSON.parse(result.body).code;
    const isNormal = result.statusCode === 200 || code === 'no_market' || code === 'upstream_busy';
    assert.ok(isNormal, `${request.path} responded ${result.statusCode}: ${result.body.slice(0, 300)}`);
    if (code !== 'upstream_busy') continue;
    const retryAfter = Number(result.headers?.['Retry-After']);
    assert.ok(result.statusCode === 503 && retryAfter >= 1 && retryAfter <= 11, `503 with Retry-After ${retryAfter}`);
  }
}

/** What CLOB or the snapshot can answer is answered, whatever room the other routes have. */
function checkServed(answers: readonly Answer[]): void {
  for (const { request, result } of answers) {
    if (
      ['get-order-book', 'list-order-books', 'list-markets'].includes(request.function) ||
      'startTs' in (request.query ?? {})
    ) {
      assert.equal(result.statusCode, 200, `${request.path} responded ${result.statusCode}: ${result.body}`);
    }
    if (request.function !== 'get-prices-histories') continue;
    assert.equal(result.statusCode, 200, result.body);
    const histories: Record<string, { history: unknown[] } | null> = JSON.parse(result.body);
    const known = (request.query?.token_id?.[0] ?? '').split(',').filter((token) => token.length > 20);
    for (const token of known) assert.ok(histories[token]?.history.length, `${token} has no history`);
  }
}

async function oneClient(containers: readonly Container[], simulator: Simulator, names: UpstreamNames): Promise<void> {
  for (const [n, kind] of (['unknown tokens', 'invented markets', 'windows'] as const).entries()) {
    const answers = await send(containers, requestsOf(kind, REQUESTS_PER_MINUTE, names), n + 1);
    checkAnswers(answers);
    checkCalls(`one client, ${kind}`, simulator, answers);
  }
}

async function crowd(containers: readonly Container[], simulator: Simulator, names: UpstreamNames): Promise<void> {
  const kinds: readonly Kind[] = ['mixed tokens', 'invented markets', 'closed markets', 'lives', 'windows', 'others'];
  const each = REQUESTS_PER_MINUTE / kinds.length;
  const answers = await Promise.all(
    containers.map((container, n) => {
      const groups = kinds.map((kind) => requestsOf(kind, each, names, n * each));
      const requests = Array.from({ length: each }, (_, round) => groups.flatMap((group) => group[round] ?? []));
      return send([container], requests.flat(), 100 + n);
    }),
  );
  const all = answers.flat();
  checkAnswers(all);
  checkServed(all);
  checkCalls(`${CONTAINERS} clients`, simulator, all);
  const busy = all.filter(({ result }) => result.statusCode === 503);
  assert.ok(busy.length > 0, 'The clients did not use up the budget');
}

/** Uses up the room, waits as long as the response says, and sends the same request again. */
async function checkRetryAfter(containers: readonly Container[], names: UpstreamNames): Promise<void> {
  const lives = requestsOf('lives', 130, names, 500);
  const answers = (
    await Promise.all(
      [lives.slice(0, 60), lives.slice(60, 120)].map((some, n) =>
        send(containers.slice(6 * n, 6 * n + 6), some, 150 + n),
      ),
    )
  ).flat();
  const refused = answers.findLast(({ result }) => result.statusCode === 503);
  assert.ok(refused, 'The requests did not use up the budget');
  const [container] = containers;
  const [last] = await send(container ? [container] : [], [refused.request], 160);
  assert.equal(last?.result.statusCode, 503);
  const seconds = Number(last.result.headers?.['Retry-After']);
  await sleep(1_000 * seconds);
  const [again] = await send(container ? [container] : [], [refused.request], 160);
  assert.equal(again?.result.statusCode, 200, `after ${seconds} s: ${again?.result.body}`);
  console.log(`Retry-After ${seconds}: then served`);
}

async function hangingTable(folder: string, environment: Record<string, string>, names: UpstreamNames): Promise<void> {
  const server = createServer(() => undefined);
  const AWS_ENDPOINT_URL_DYNAMODB = await listen(server, 0);
  const container = await startContainer(folder, { ...environment, AWS_ENDPOINT_URL_DYNAMODB });
  const kinds: readonly Kind[] = ['mixed tokens', 'windows', 'lives'];
  for (const [request] of kinds.map((kind) => requestsOf(kind, 1, names, 900))) {
    const started = performance.now();
    const [answer] = await send([container], request ? [request] : [], 170);
    const seconds = (performance.now() - started) / 1_000;
    assert.equal(answer?.result.statusCode, 200, answer?.result.body);
    console.log(`a table that hangs: ${request?.path} served in ${seconds.toFixed(1)} s`);
  }
  container.stop();
  server.close();
}

const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
bundleFunctions(folder);
const simulator = await startSimulator({ markets: 300, lifecycle: false });
const database = new Worker(new URL('./database.ts', import.meta.url));
const [databaseVariables] = (await once(database, 'message')) as [Record<string, string>];
const environment = {
  ...databaseVariables,
  SNAPSHOT_TABLE,
  RATE_LIMIT_TABLE: 'rate-limits',
  REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
  RATE_LIMIT_TIMEOUT_MS: '2000',
  FRONT_DOOR: 'on',
  PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
  GAMMA_URL: simulator.url,
  CLOB_URL: simulator.url,
  DATA_URL: simulator.url,
};
const publish = async () => {
  const client = dynamoDbClient(databaseVariables);
  const writer = new SnapshotWriter({ client, table: SNAPSHOT_TABLE, clock: systemClock });
  await writer.publish(testSnapshot(testMarkets(3), Date.now()));
};
await publish();
const names = await upstreamNames(simulator.url);
const containers = await Promise.all(Array.from({ length: CONTAINERS }, () => startContainer(folder, environment)));
simulator.clearCalls();

await oneClient(containers, simulator, names);
await sleep(EMPTY_WINDOW_MS);
await publish();
await crowd(containers, simulator, names);
await sleep(EMPTY_WINDOW_MS);
await checkRetryAfter(containers, names);
checkCalls('the wait', simulator, []);
for (const container of containers) {
  const unavailable = container.log().match(/.*unavailable.*/g) ?? [];
  assert.deepEqual(unavailable, [], 'The database was too slow for this test');
  container.stop();
}
await hangingTable(folder, environment, names);
await database.terminate();
await simulator.stop();
process.exit();
