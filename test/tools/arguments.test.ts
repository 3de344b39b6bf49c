import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

// All programs read their options in the same way. This one writes a file unless it has --check.
it.each([
  ['--help', 0, ''],
  ['--chek', 2, "Unknown option '--chek'\n\n"],
  ['check', 2, 'Unexpected argument'],
])('after %s, a program prints its usage and does nothing', (argument, expected, problem) => {
  const args = ['--disable-warning=ExperimentalWarning', 'tools/openapi/main.ts', argument];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const output = expected === 0 ? stdout : stderr;
  expect(status).toBe(expected);
  expect(output.startsWith(problem)).toBe(true);
  expect(output).toMatch(/^Usage: npm run openapi -- \[--check\]$/m);
});
