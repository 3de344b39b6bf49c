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

// Seconds on an idle machine.
jest.setTimeout(120_000);

const COMMAND = join(import.meta.dirname, '../../local/archive.ts');
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The exit status and the output of the command. */
function archive(...args: readonly string[]): Promise<readonly [number, string]> {
  const options = ['--disable-warning=ExperimentalWarning', COMMAND, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, options, (error, stdout, stderr) => {
      resolve([Number(error?.code ?? 0), stdout + stderr]);
    });
  });
}

describe('npm run archive', () => {
  it.each([
    [[], '--data is missing. --help lists the options.\n'],
    [
      ['--data', folder, '--date', '2026-02-30'],
      /^--date must be yesterday or a day such as .*"2026-02-30"\.\n$/,
    ],
    [
      ['--data', folder, '--simulate', '1d', '--until', '2999-01-01'],
      '2999-01-01 has not ended.\n',
    ],
    [
      ['--data', import.meta.dirname, '--simulate', '1d'],
      `${import.meta.dirname} is not empty: choose another folder with --data.\n`,
    ],
    [['--data', folder, '--past', 'all'], '--past must be a whole number, not "all".\n'],
    // The past of 5 closed markets.
    [
      ['--data', join(folder, 'none'), '--past', '5'],
      /none holds no data\. .*--upstream live\.\n$/,
    ],
    [
      ['--data', folder, '--past', '5', '--upstream', 'real'],
      '--upstream must be simulated or live, not "real".\n',
    ],
  ])('ends with status 2 and one sentence for %j', async (args, sentence) => {
    const [status, output] = await archive(...args);
    expect(status).toBe(2);
    expect(output).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
  });

  it('ends when its files are complete, for one day and for all', async () => {
    const data = DataFolder.open(join(folder, 'data'), { simulator: { seed: 1, latency: 'none' } });
    const yesterday = dayOf(Date.now(), -1);
    const dayBefore = dayOf(yesterday.start, -1);
    const { server, environment } = await startDatabase(data.tables);
    for (const { start: asOf } of [dayBefore, yesterday]) {
      const clock = { now: () => asOf, after: () => () => undefined };
      const client = dynamoDbClient(environment);
      await new TestWriter({ client, table: SNAPSHOT_TABLE, clock, isArchived: true }).publish(
        testSnapshot(testMarkets(2), asOf),
      );
    }
    await new Promise((resolve) => server.close(resolve));
    // Each day has one snapshot of 1,440, so it is degraded.
    const [statusOfOne, outputOfOne] = await archive(
      '--data',
      join(folder, 'data'),
      '--date',
      'yesterday',
    );
    expect(statusOfOne).toBe(0);
    expect(outputOfOne).toContain(`${yesterday.date}: degraded, 1 of`);
    expect(outputOfOne).toContain('/prices.parquet  2 rows');
    const [statusOfAll, outputOfAll] = await archive('--data', join(folder, 'data'));
    expect(statusOfAll).toBe(0);
    expect(outputOfAll).toContain(`${yesterday.date}: archived before.`);
    expect(outputOfAll).toContain(`${dayBefore.date}: degraded, 1 of`);
    const { days } = JSON.parse(readFileSync(join(data.archive, 'index.json'), 'utf8'));
    const dates = days.map(({ date }: { date: string }) => date);
    expect(dates).toEqual([dayBefore.date, yesterday.date]);
  });
});

// The server archives each night what the command above archives at once.
it('the nightly job of the local server runs at 00:20 UTC', () => {
  const minutesFrom = (time: string) => untilNextJob(Date.parse(`2026-11-21T${time}Z`)) / 60_000;
  expect(
    ['00:00', '00:19', '00:20', '12:20', '23:59'].map((time) => minutesFrom(`${time}:00`)),
  ).toEqual([20, 1, 1_440, 720, 21]);
});
