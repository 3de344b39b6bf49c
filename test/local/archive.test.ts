/**
 * `npm run archive` writes the snapshots of past days, which a local server stored in a folder, as
 * Parquet files into that folder.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { dayOf } from '../../lambda/jobs/archive/day.ts';
import { DataFolder } from '../../local/data-folder.ts';
import { SNAPSHOT_TABLE, startDatabase } from '../../local/database.ts';
import { untilNextJob } from '../../local/nightly-archive.ts';
import { testMarkets, testSnapshot } from '../support/markets.ts';
import { TestWriter } from '../support/test-writer.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const COMMAND = join(import.meta.dirname, '../../local/archive.ts');
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command. `output` is all that it prints. */
function archive(...args: readonly string[]): Promise<{ status: number; output: string }> {
  const options = ['--disable-warning=ExperimentalWarning', COMMAND, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, options, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

/** Publishes a snapshot of two markets at each time, as the refresher of a local server does. */
async function publishSnapshots({ tables }: DataFolder, times: readonly number[]): Promise<void> {
  const { server, environment } = await startDatabase(tables);
  const client = dynamoDbClient(environment);
  for (const asOf of times) {
    const clock = { now: () => asOf, after: () => () => undefined };
    const writer = new TestWriter({ client, table: SNAPSHOT_TABLE, clock, isArchived: true });
    await writer.publish(testSnapshot(testMarkets(2), asOf));
  }
  await new Promise((resolve) => server.close(resolve));
}

describe('npm run archive', () => {
  it.each([
    { args: [], sentence: /^--data is missing\. --help lists the options\.\n$/ },
    {
      args: ['--data', folder, '--date', '2026-02-30'],
      sentence: /^--date must be yesterday or a day such as .*"2026-02-30"\.\n$/,
    },
    {
      args: ['--data', folder, '--simulate', '1d', '--until', '2999-01-01'],
      sentence: /^2999-01-01 has not ended\.\n$/,
    },
    {
      args: ['--data', import.meta.dirname, '--simulate', '1d'],
      sentence: /^\/.*\/local is not empty: choose another folder with --data\.\n$/,
    },
    // `--past 5` writes the price histories of five closed markets.
    {
      args: ['--data', folder, '--past', 'all'],
      sentence: /^--past must be a whole number, not "all"\.\n$/,
    },
    {
      args: ['--data', join(folder, 'none'), '--past', '5'],
      sentence: /none holds no data\. .*--upstream live\.\n$/,
    },
    {
      args: ['--data', folder, '--past', '5', '--upstream', 'real'],
      sentence: /^--upstream must be simulated or live, not "real"\.\n$/,
    },
  ])('ends with status 2 and one sentence for $args', async ({ args, sentence }) => {
    const { status, output } = await archive(...args);
    expect(status).toBe(2);
    expect(output).toMatch(sentence);
  });

  it('ends when its files are complete, for one day and for all', async () => {
    const path = join(folder, 'data');
    const data = DataFolder.open(path, { simulator: { seed: 1, latency: 'none' } });
    const yesterday = dayOf(Date.now(), -1);
    const dayBefore = dayOf(yesterday.start, -1);
    await publishSnapshots(data, [dayBefore.start, yesterday.start]);

    const one = await archive('--data', path, '--date', 'yesterday');
    expect(one.status).toBe(0);
    // A whole day has a snapshot for each of its 1,440 minutes.
    expect(one.output).toContain(`${yesterday.date}: degraded, 1 of`);
    expect(one.output).toContain('/prices.parquet  2 rows');

    const all = await archive('--data', path);
    expect(all.status).toBe(0);
    expect(all.output).toContain(`${yesterday.date}: archived before.`);
    expect(all.output).toContain(`${dayBefore.date}: degraded, 1 of`);
    const { days } = JSON.parse(readFileSync(join(data.archive, 'index.json'), 'utf8'));
    expect(days).toMatchObject([{ date: dayBefore.date }, { date: yesterday.date }]);
  });
});

// The local server itself archives the day before each night, as the command above does at once.
it.each([
  { time: '00:00', minutes: 20 },
  { time: '00:19', minutes: 1 },
  { time: '00:20', minutes: 24 * 60 },
  { time: '12:20', minutes: 12 * 60 },
  { time: '23:59', minutes: 1 + 20 },
])(
  'the local server runs the job at 00:20 UTC: at $time it waits $minutes minutes',
  ({ time, minutes }) => {
    expect(untilNextJob(Date.parse(`2026-11-21T${time}:00Z`))).toBe(minutes * 60_000);
  },
);
