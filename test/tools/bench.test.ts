import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const MAIN = join(import.meta.dirname, '../../tools/bench/main.ts');

it.each([
  ['--help', 0, 'stdout', /^Usage: npm run bench -- \[--quick\]/],
  ['--colour', 2, 'stderr', /^Unknown option '--colour'.*Usage: npm run bench/s],
] as const)('the bench explains itself with %s, and measures nothing', (option, status, stream, text) => {
  const ended = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, option], {
    encoding: 'utf8',
  });

  expect(ended.status).toBe(status);
  expect(ended[stream]).toMatch(text);
  expect(ended.stdout + ended.stderr).not.toMatch(/^ +at /m);
});
