import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../../lambda/io/platform/table-keys.ts';
import { SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { bundle, PAGE_FILES_NAME } from '../../lib/bundling.ts';
import { apiEvent, PUBLIC_KEY_ID } from '../support/api-event.ts';
import { testMarkets, testSnapshot } from '../support/markets.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/test-table.ts';

/** Calls the handler of a bundle with an event, as Lambda does. */
const RUN = `
  const { handler } = await import(process.argv[1]);
  const result = await handler(JSON.parse(process.argv[2]), {});
  process.stdout.write('RESULT' + JSON.stringify(result), () => process.exit());
`;

let db: TestDynamoDb;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  db = await startDynamoDb();
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  const table = await db.table(SNAPSHOT_KEYS);
  const writer = new SnapshotWriter({ client: db.client, table, clock: systemClock });
  await writer.publish(testSnapshot(testMarkets(3), Date.now()));
  environment = {
    ...db.environment,
    SNAPSHOT_TABLE: table,
    RATE_LIMIT_TABLE: await db.table(RATE_LIMIT_KEYS),
    REQUESTS_PER_MINUTE: '60',
    RATE_LIMIT_TIMEOUT_MS: '2000',
    FRONT_DOOR: 'off',
    PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
    CLOB_URL: 'https://clob.example',
    SERVICE_VERSION: 'v1',
    REFRESH_INTERVAL_SECONDS: '120',
    SIMULATED: 'off',
    PAGE_FILES: PAGE_FILES_NAME,
    SITE_URL: '',
  };
});

afterAll(async () => {
  await db.stop();
  await rm(folder, { recursive: true });
});

function bundled(name: string): string {
  const target = join(folder, name);
  mkdirSync(target);
  bundle(`lambda/handlers/${name}.ts`, target);
  return target;
}

/** Runs the bundle in a process of its own. The bundle's folder is the working directory, as in Lambda. */
async function respond(target: string, path: string) {
  const event = JSON.stringify(apiEvent({ path }));
  const args = ['--input-type=module', '--eval', RUN, join(target, 'index.mjs'), event];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: target,
    env: environment,
    maxBuffer: 10_000_000,
  });
  const { statusCode, body } = JSON.parse(stdout.split('RESULT')[1] ?? '');
  expect(statusCode).toBe(200);
  return body;
}

describe('the bundle of a function', () => {
  it.each([
    ['get-status', '/api/status', 'ok'],
    ['list-markets', '/api/markets', 3],
  ])('loads and responds: %s', async (name, path, result) => {
    const target = bundled(name);
    const content = JSON.parse(await respond(target, path));
    expect(content.status ?? content.length).toBe(result);
    expect(JSON.parse(readFileSync(join(target, 'index.mjs.map'), 'utf8')).sources).toContainEqual(
      expect.stringContaining(`lambda/handlers/${name}.ts`),
    );
  });

  it('names lines of the sources in the stack of an error', async () => {
    const bundle = join(bundled('get-order-book'), 'index.mjs');
    const { stderr } = await promisify(execFile)(process.execPath, [bundle], { env: {} }).catch((error) => error);
    expect(stderr).toContain('The environment variable RATE_LIMIT_TABLE is not set');
    expect(stderr).toMatch(/ at \w+ \(\S*lambda\/io\/platform\/environment\.ts:\d+:\d+\)\n/);
    expect(stderr).toMatch(/lambda\/handlers\/get-order-book\.ts:\d+/);
  });

  it('lacks the parts of the SDK that it does not use', () => {
    const target = bundled('get-market');
    const code = readFileSync(join(target, 'index.mjs'), 'utf8');
    // The default chain of credential providers alone has 135 KB.
    expect(code.length).toBeLessThan(350_000);
  });

  it('contains the API document', async () => {
    expect(JSON.parse(await respond(bundled('get-openapi'), '/openapi.json')).openapi).toBe('3.1.0');
  });

  it('has the files of the page beside it, where it serves them', async () => {
    expect(await respond(bundled('get-page'), '/')).toMatch(/<!doctype html>/i);
  });
});
