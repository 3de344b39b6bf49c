import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startRunningService } from '../../tools/running-service.ts';

const README = readFileSync('packages/client/README.md', 'utf8');
const EXAMPLES = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
const CLIENT = pathToFileURL(resolve('packages/client/src/index.ts')).href;
const folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
let service: RunningService;

beforeAll(async () => {
  service = await startRunningService(120);
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example in a process of its own. @returns what it prints */
async function output(code: string): Promise<string> {
  const file = join(folder, 'example.ts');
  const program = code.replace("'market-data-proxy-client'", `'${CLIENT}'`);
  writeFileSync(file, `const baseUrl = '${service.url}';\n${program}`);
  const args = ['--disable-warning=ExperimentalWarning', file];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

describe('an example of the README of the client', () => {
  const printed = [
    /\d+ markets, prices \d+ s old\n$/,
    /^.+ \{ price: '.+ \d+\n$/s,
    /^\d+ \{ price: /,
    /^1\d\d markets\n$|^\d\d markets\n$/,
    /^\d+ markets \d+ s old all changed\n$/,
    /^404 .+ [\w-]+\n$/,
  ];

  it('is one of six', () => {
    expect(EXAMPLES).toHaveLength(printed.length);
  });

  it.each(printed.map((pattern, n) => [n + 1, pattern] as const))('number %d prints %s', async (n, pattern) => {
    expect(await output(EXAMPLES[n - 1] ?? '')).toMatch(pattern);
  });
});
