/**
 * All programs in `tools` read their options in the same way. The program of this test writes
 * docs/openapi.json, unless it has the option --check.
 */
import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

it.each([
  { argument: '--help', exitStatus: 0, problem: '' },
  { argument: '--chek', exitStatus: 2, problem: "Unknown option '--chek'\n\n" },
  { argument: 'check', exitStatus: 2, problem: 'Unexpected argument' },
])('with the argument $argument a program prints its usage and does nothing', (row) => {
  const { argument, exitStatus, problem } = row;
  const args = ['--disable-warning=ExperimentalWarning', 'tools/openapi/main.ts', argument];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const output = exitStatus === 0 ? stdout : stderr;
  expect(status).toBe(exitStatus);
  expect(output.startsWith(problem)).toBe(true);
  expect(output).toMatch(/^Usage: npm run openapi -- \[--check\]$/m);
});
