import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENVIRONMENT } from '../../lambda/io/platform/environment.ts';
import { bundle } from '../../lib/bundling.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
});

afterAll(() => rm(folder, { recursive: true }));

function bundled(name: string): string {
  const target = mkdtempSync(join(folder, `${name}-`));
  bundle(`lambda/handlers/${name}.ts`, target);
  return join(target, 'index.mjs');
}

describe('the bundle of a function', () => {
  it('names lines of the sources in the stack of an error', async () => {
    const running = promisify(execFile)(process.execPath, [bundled('get-order-book')], { env: {} });
    const { stderr } = await running.catch((error) => error);
    expect(stderr).toContain('The environment variable RATE_LIMIT_TABLE is not set');
    expect(stderr).toMatch(/ at \w+ \(.*lambda\/io\/platform\/environment\.ts:\d+:\d+\)\n/);
    expect(stderr).toMatch(/lambda\/handlers\/wiring\/limited\.ts:\d+/);
  });

  it.each(Object.keys(ENVIRONMENT))('%s has no database of the local server', (name) => {
    const { sources } = JSON.parse(readFileSync(`${bundled(name)}.map`, 'utf8'));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path: string) => /dynalite|classic-level/.test(path))).toEqual([]);
  });

  it('lacks the parts of the SDK that it does not use', () => {
    // The default chain of credential providers alone has 135 KB.
    expect(readFileSync(bundled('get-market'), 'utf8').length).toBeLessThan(350_000);
  });
});
