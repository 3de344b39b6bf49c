/**
 * Workflows run checks each night, such as the doctor. `.github/rolling-issue.sh` opens an issue
 * on GitHub when a check fails, and closes it when the check passes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'rolling-issue-'));
afterAll(() => rmSync(folder, { recursive: true }));
const calls = join(folder, 'calls');
const report = join(folder, 'report.txt');
writeFileSync(report, 'WORSE  a fact: NO');

interface Run {
  /** The exit status of the check. */
  readonly status: number;
  /** The number of the open issue. */
  readonly open?: string;
  readonly hasIssues?: boolean;
}

/** Runs the script. @returns the calls of GitHub's program `gh` that change something */
function keepIssue({ status, open = '', hasIssues = true }: Run): string {
  // A `gh` that answers questions, and notes all other calls.
  const gh = `#!/bin/sh
case "$1 $2" in
'repo view') echo ${hasIssues} ;;
'issue list') echo "${open}" ;;
*) echo "$@" >>${calls} ;;
esac
`;
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
  writeFileSync(calls, '');
  const args = ['.github/rolling-issue.sh', 'doctor', 'A title', String(status), report];
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  execFileSync('bash', args, { env, stdio: 'pipe' });
  return readFileSync(calls, 'utf8').trim();
}

it('the issue is opened at the first failure', () => {
  expect(keepIssue({ status: 1 })).toMatch(
    /^label create doctor .*\nissue create --title A title --label doctor/,
  );
});

it('the issue is updated at the next failure', () => {
  expect(keepIssue({ status: 2, open: '7' })).toMatch(/^issue edit 7 --body-file \S+$/);
});

it('the issue is closed when the check passes', () => {
  expect(keepIssue({ status: 0, open: '7' })).toBe(
    'issue close 7 --comment The check passes again.',
  );
});

it('no issue is opened while the check passes', () => {
  expect(keepIssue({ status: 0 })).toBe('');
});

it('no issue is opened in a fork, which has no issues', () => {
  expect(keepIssue({ status: 1, hasIssues: false })).toBe('');
});
