import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { untilNextJob } from '../../local/nightly-archive.ts';

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
    [['--data', folder, '--date', '2026-02-30'], /^--date must be yesterday or a day such as .*"2026-02-30"\.\n$/],
    [['--data', folder, '--simulate', '1d', '--until', '2999-01-01'], '2999-01-01 has not ended.\n'],
    [['--data', folder, '--date', '2999-01-01'], '2999-01-01 has not ended.\n'],
    [
      ['--data', import.meta.dirname, '--simulate', '1d'],
      `${import.meta.dirname} is not empty: choose another folder with --data.\n`,
    ],
  ])('ends with status 2 and one sentence for %j', async (args, sentence) => {
    const [status, output] = await archive(...args);
    expect(status).toBe(2);
    expect(output).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
  });
});

describe('the nightly job of the local server', () => {
  it('runs at 00:20 UTC', () => {
    const minutesFrom = (time: string) => untilNextJob(Date.parse(`2026-11-21T${time}Z`)) / 60_000;
    expect(['00:00', '00:19', '00:20', '12:20', '23:59'].map((time) => minutesFrom(`${time}:00`))).toEqual([
      20, 1, 1_440, 720, 21,
    ]);
  });
});
