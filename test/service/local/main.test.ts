import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../../../local/main.ts', import.meta.url));
let folder: string;
let child: ChildProcess;
let stdout: string;
let stderr: string;

/** Starts the program with a temporary folder of its own, so that whatever it leaves is seen. */
function start(args: readonly string[], variables: Readonly<Record<string, string>> = {}): void {
  stdout = '';
  stderr = '';
  child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, TMPDIR: folder, ...variables } });
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${stdout}${stderr}`);
    await sleep(20);
  }
}

async function ended(): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('cdk-local-'));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'main-test-'));
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** The real synthesis takes seconds, and more beside other tests. */
const SLOW = 60_000;

describe('npm start', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops within 2 s of %s while it synthesises',
    async (signal) => {
      // Another region is another assembly, which no earlier run can have left.
      start(['--port', '0', '--markets', '100'], { CDK_DEFAULT_REGION: `test-${process.pid}-${signal}` });
      await until(() => leftovers().length > 0);
      const asked = performance.now();
      child.kill(signal);
      expect(await ended()).toBe(0);
      expect(performance.now() - asked).toBeLessThan(2_000);
      expect(leftovers()).toEqual([]);
      expect(stderr).toBe('');
    },
    SLOW,
  );

  it(
    'serves what was synthesised, and stops within 2 s',
    async () => {
      start(['--port', '0', '--markets', '100']);
      await until(() => /^Ready: \S+$/m.test(stdout));
      const [, url] = /^Ready: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(stdout) ?? [];
      expect(stdout).toContain('The data is SIMULATED, not real');
      expect(stdout).toMatch(/Snapshot published kind=full markets=\d+/);
      const response = await fetch(`${url}/api/markets?limit=1`);
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveLength(1);
      const tried = [...stdout.matchAll(/^ {2}curl '(\S+)'$/gm)].map(async ([, example = '']) => {
        const { status } = await fetch(example);
        return [example, status];
      });
      expect(tried.length).toBeGreaterThan(15);
      for (const [example, status] of await Promise.all(tried))
        expect([example, status]).toEqual([example, 200]);
      await until(() => /GET \/api\/markets\?limit=1 200 \d+ B \d+ ms/.test(stdout));
      const asked = performance.now();
      child.kill('SIGTERM');
      expect(await ended()).toBe(0);
      expect(performance.now() - asked).toBeLessThan(2_000);
      expect(leftovers()).toEqual([]);
      expect(stderr).toBe('');
    },
    SLOW,
  );

  it(
    'plays no front door with -c edge=false: prints the public key and the URL of the API itself',
    async () => {
      start(['--port', '0', '--markets', '100', '-c', 'edge=false']);
      await until(() => /^Ready: \S+$/m.test(stdout));
      const [, url] = /^Ready: (http:\/\/127\.0\.0\.1:\d+\/dev)$/m.exec(stdout) ?? [];
      const [, key = ''] = /^Public API key: (\w{40})$/m.exec(stdout) ?? [];
      expect((await fetch(`${url}/api/markets?limit=1`)).status).toBe(403);
      const response = await fetch(`${url}/api/markets?limit=1`, { headers: { 'x-api-key': key } });
      expect(response.status).toBe(200);
      child.kill('SIGTERM');
      expect(await ended()).toBe(0);
    },
    SLOW,
  );

  it('refuses a port in use before it does anything else', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    start(['--port', String(port)]);
    expect(await ended()).toBe(1);
    expect(stderr).toBe(`Port ${port} is in use: stop what listens there or choose another with --port.\n`);
    expect(stdout).toBe('');
    other.close();
  });

  it('refuses a folder without recordings with one sentence', async () => {
    start(['--port', '0', '--recordings', folder]);
    expect(await ended()).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('gamma-markets.json');
  });

  it('refuses an unknown option with one sentence', async () => {
    start(['--prot', '1']);
    expect(await ended()).toBe(2);
    expect(stderr).toBe("Unknown option '--prot'; npm start -- --help lists the options.\n");
  });

  it(
    'refuses an unknown stage with the sentence of the app',
    async () => {
      start(['--port', '0', '--markets', '100', '--stage', 'nowhere']);
      expect(await ended()).toBe(1);
      expect(stderr).toMatch(/^The CDK app failed: .*nowhere.*\.\n$/);
      expect(leftovers()).toEqual([]);
    },
    SLOW,
  );
});
