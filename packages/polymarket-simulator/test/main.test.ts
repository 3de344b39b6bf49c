import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { AGENT, call } from './helpers.ts';

const FOLDER = join(import.meta.dirname, '../src');

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

function run(...args: readonly string[]): Run {
  const child = spawn(process.execPath, [join(FOLDER, 'main.ts'), ...args], {
    env: { PATH: process.env.PATH },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString();
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, out: () => out, err: () => err, ended };
}

async function ready(program: Run): Promise<string> {
  while (!/^Ready: /m.test(program.out())) {
    if (program.child.exitCode !== null) throw new Error(`It ended: ${program.err()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return /^Ready: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(program.out())?.[1] ?? '';
}

describe('npm run upstream', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('serves until %s and exits with 0', async (signal) => {
    const program = run('--port', '0', '--markets', '50', '--seed', '9', '--upstream-latency', 'none');
    const url = await ready(program);
    expect(program.out()).toMatch(/50 generated markets \(seed 9, 20 % on Protocol V2\)/);
    expect((await call(`${url}/markets/keyset`, { headers: AGENT })).status).toBe(200);
    program.child.kill(signal);
    expect(await program.ended).toBe(0);
    expect(program.err()).toBe('');
  });

  it('ends with 1 and one sentence for a mistake', async () => {
    const program = run('--v2-share', '1.5');
    expect(await program.ended).toBe(1);
    expect(program.err()).toBe('--v2-share must be a number from 0 to 1, not "1.5".\n');
    expect(program.out()).toBe('');
  });

  it('ends with 1 and one sentence for recordings that are not there', async () => {
    const program = run('--recordings', '/nowhere');
    expect(await program.ended).toBe(1);
    expect(program.err()).toMatch(/\/nowhere\/gamma-markets\.json, but there is no such file\.\n$/);
    expect(program.err().trim().split('\n')).toHaveLength(1);
    expect(program.out()).toBe('');
  });

  it('says so when the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const program = run('--port', String(port));
    expect(await program.ended).toBe(1);
    expect(program.err()).toBe(
      `Port ${port} is in use: stop what listens there or choose another with --port.\n`,
    );
    taken.close();
  });

  it('--help names every option', async () => {
    const program = run('--help');
    expect(await program.ended).toBe(0);
    for (const name of ['--port', '--markets', '--seed', '--v2-share', '--upstream-latency', '--recordings'])
      expect(program.out()).toContain(name);
  });
});

describe('the worker thread', () => {
  const start = async (workerData: unknown) => {
    const worker = new Worker(join(FOLDER, 'worker.ts'), { workerData });
    const [message] = (await once(worker, 'message')) as [unknown];
    return { worker, message };
  };

  it('posts its url and serves', async () => {
    const { worker, message } = await start({ markets: 20 });
    const { url } = message as { url: string };
    expect((await call(`${url}/markets/keyset`, { headers: AGENT })).status).toBe(200);
    await worker.terminate();
  });

  it('posts what is wrong in a sentence', async () => {
    const { worker, message } = await start({ recordings: '/nowhere' });
    expect(message).toEqual({
      error: expect.stringMatching(/^The recordings need \/nowhere\/gamma-markets\.json/),
    });
    await worker.terminate();
  });
});
