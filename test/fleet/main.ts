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
import { REQUESTS_PER_MINUTE } from '../../lambda/core/contract/constants.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { SNAPSHOT_TABLE } from '../../local/database.ts';
import { startSimulator } from '../../local/simulator/index.ts';
import { listen } from '../../local/simulator/listen.ts';
import { PUBLIC_KEY_ID } from '../support/api-event.ts';
import { testMarkets, testSnapshot } from '../support/markets.ts';
import { TestWriter } from '../support/test-writer.ts';
import { type Answer, checkAnswers, checkCalls, checkServed } from './checks.ts';
import { bundleFunctions, type Container, type FleetRequest, startContainer } from './containers.ts';
import { type Kind, requestsOf, upstreamNames } from './requests.ts';

const CONTAINERS = 12;
/** After this time no entry of the budget counts. */
const EMPTY_WINDOW_MS = 11_000;
const MAX_ATTEMPTS = 3;

let clients = 0;

/** Sends the requests of one client, one after the other in each container. */
async function send(containers: readonly Container[], requests: readonly FleetRequest[]): Promise<readonly Answer[]> {
  clients += 1;
  const headers = { 'x-viewer-ip': `198.18.0.${clients}` };
  const waiting = [...requests];
  const answers: Answer[] = [];
  await Promise.all(
    containers.map(async (container) => {
      for (let request = waiting.shift(); request; request = waiting.shift()) {
        answers.push({ request, result: await container.request({ ...request, headers }) });
      }
    }),
  );
  return answers;
}

/** The requests of 12 clients with all that each may send, of every kind in turn. Each client has a container. */
async function sendCrowd(kinds: readonly Kind[], first: number): Promise<readonly Answer[]> {
  const rounds = Math.floor(REQUESTS_PER_MINUTE / kinds.length);
  const answers = await Promise.all(
    containers.map((container, n) => {
      const groups = kinds.map((kind) => requestsOf(kind, rounds, names, first + n * rounds));
      const requests = Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group[round] ?? []));
      return send([container], requests.flat());
    }),
  );
  return answers.flat();
}

/** Begins with an empty budget. A database that was too slow proves nothing: then the containers made uncounted calls. */
async function run(what: string, work: (first: number) => Promise<readonly Answer[]>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(EMPTY_WINDOW_MS);
    await publish();
    simulator.clearCalls();
    const before = containers.map((container) => container.warnings());
    const answers = await work(attempt * 1_000);
    const wasSlow = containers.some((container, n) => container.warnings() !== before[n]);
    if (!wasSlow) {
      checkCalls(what, simulator.calls(), answers);
      return checkAnswers(answers);
    }
    assert.ok(attempt < MAX_ATTEMPTS, 'The database is too slow for this test');
    console.log(`${what}: the database was too slow, again`);
  }
}

/** Uses up the room, waits as long as the response says, and sends the same request again. */
async function checkRetryAfter(first: number): Promise<readonly Answer[]> {
  const [container] = containers;
  assert.ok(container);
  const answers = await sendCrowd(['lives'], first);
  const refused = answers.findLast(({ result }) => result.statusCode === 503);
  assert.ok(refused, 'The requests did not use up the budget');
  const [busy] = await send([container], [refused.request]);
  const seconds = Number(busy?.result.headers?.['Retry-After'] ?? 0);
  await sleep(1_000 * seconds);
  const [again] = await send([container], [refused.request]);
  assert.equal(again?.result.statusCode, 200, `after ${seconds} s: ${again?.result.body}`);
  console.log(`a 503 with Retry-After ${seconds}: served after this time`);
  return answers;
}

async function checkHangingTable(): Promise<void> {
  const server = createServer(() => undefined);
  const AWS_ENDPOINT_URL_DYNAMODB = await listen(server, 0);
  const container = await startContainer(folder, { ...environment, AWS_ENDPOINT_URL_DYNAMODB });
  for (const kind of ['mixed tokens', 'windows', 'lives', 'books'] as const) {
    const started = performance.now();
    const [answer] = await send([container], requestsOf(kind, 1, names, 9_000));
    assert.equal(answer?.result.statusCode, 200, answer?.result.body);
    console.log(`a table that hangs: ${kind} after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  }
  container.stop();
  server.closeAllConnections();
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
  const writer = new TestWriter({ client, table: SNAPSHOT_TABLE, clock: systemClock });
  await writer.publish(testSnapshot(testMarkets(3), Date.now()));
};
await publish();
const names = await upstreamNames(simulator.url);
const containers = await Promise.all(Array.from({ length: CONTAINERS }, () => startContainer(folder, environment)));

for (const kind of ['unknown tokens', 'windows', 'invented markets'] as const) {
  await run(`one client, ${kind}`, (first) => send(containers, requestsOf(kind, REQUESTS_PER_MINUTE, names, first)));
}
await run(`${CONTAINERS} clients`, async (first) => {
  const kinds = ['mixed tokens', 'invented markets', 'closed markets', 'lives', 'windows', 'books'] as const;
  const answers = await sendCrowd(kinds, first);
  checkServed(answers);
  return answers;
});
await run('the wait', checkRetryAfter);
for (const container of containers) container.stop();
await checkHangingTable();
await database.terminate();
await simulator.stop();
process.exit();
