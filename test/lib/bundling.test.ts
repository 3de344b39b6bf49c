/**
 * esbuild bundles each function and the modules that it imports into one file for AWS Lambda. A
 * source map beside it names the modules.
 */
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

/** Bundles a function. @returns the path of its file */
function bundled(handler: string): string {
  const target = mkdtempSync(join(folder, `${handler}-`));
  bundle(`lambda/handlers/${handler}.ts`, target);
  return join(target, 'index.mjs');
}

describe('the bundle of a function', () => {
  it('names lines of the TypeScript sources in the stack of an error', async () => {
    // Without its environment variables, the function fails.
    const running = promisify(execFile)(process.execPath, [bundled('get-order-book')], { env: {} });
    const { stderr } = await running.catch((error) => error);
    expect(stderr).toContain('The environment variable RATE_LIMIT_TABLE is not set');
    expect(stderr).toMatch(/ at \w+ \(.*lambda\/io\/platform\/environment\.ts:\d+:\d+\)\n/);
    expect(stderr).toMatch(/lambda\/handlers\/wiring\/limited\.ts:\d+/);
  });

  it.each(Object.keys(ENVIRONMENT))('%s has no database of the local server', (handler) => {
    const { sources } = JSON.parse(readFileSync(`${bundled(handler)}.map`, 'utf8'));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path: string) => /dynalite|classic-level/.test(path))).toEqual([]);
  });

  it('lacks the parts of the SDK that it does not use', () => {
    // In characters. The default chain of credential providers alone has 135 KB.
    expect(readFileSync(bundled('get-market'), 'utf8').length).toBeLessThan(350_000);
  });
});
