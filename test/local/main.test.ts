/**
 * `npm start`, the local server, as a process: what it serves and prints, and how it ends. Its data
 * is from a simulated Polymarket.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { listen } from '../../local/simulator/listen.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const MAIN = join(import.meta.dirname, '../../local/main.ts');
const children: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A running server. */
interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has printed until now. */
  output: string;
  /** Its exit status and the signal that ended it. */
  readonly status: Promise<readonly [status: number | null, signal: string | null]>;
}

const start = (...options: readonly string[]) => startNode(MAIN, ...options);

/** Starts the server with arguments of Node.js. `ready` is its address, when it listens. */
function startNode(...args: readonly string[]) {
  // A process group of its own gets signals as Ctrl-C sends them: to the program and to its
  // children.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    detached: true,
  });
  children.push(child);
  const program: Program = {
    child,
    output: '',
    status: once(child, 'exit') as Promise<[number | null, string | null]>,
  };
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      program.output += text;
      const url = /^Ready: (\S+)$/m.exec(program.output)?.[1];
      if (url) resolve(url);
    });
  }
  return { program, ready };
}

// The tests run concurrently, because most of them wait.
describe('npm start', () => {
  // The second program gets its signal right after its first responses.
  it.concurrent.each([
    { signal: 'SIGINT', afterMs: 300, host: '0.0.0.0' },
    { signal: 'SIGTERM', afterMs: 0, host: '127.0.0.1' },
  ] as const)(
    'serves simulated data on $host until it ends without a stack trace at $signal',
    async ({ signal, afterMs, host }) => {
      const { program, ready } = start('--port', '0', '--markets', '120', '--host', host);
      const url = await ready;
      const [page, markets, status] = await Promise.all([
        fetch(`${url}/`),
        fetch(`${url}/api/markets?limit=2`),
        fetch(`${url}/api/status`),
      ]);
      await sleep(afterMs);
      process.kill(-Number(program.child.pid), signal);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(page.status).toBe(200);
      expect(await markets.json()).toHaveLength(2);
      expect(await status.json()).toMatchObject({ simulated: true });
      expect(await program.status).toEqual([0, null]);
      expect(program.output).toMatch(/^All data is SIMULATED: 120 generated markets/m);
      expect(program.output).toMatch(/^\d+ markets, \d+ events in \d+\.\d s\.$/m);
      expect(/^WARNING: Other machines can reach this server/.test(program.output)).toBe(
        host === '0.0.0.0',
      );
      expect(program.output).not.toMatch(/Error|^ +at /m);
    },
  );

  it.concurrent('starts without data when the upstream is unreachable, and says why', async () => {
    const closed = createServer();
    const address = await listen(closed, 0);
    closed.close();
    const { ready, program } = start('--port=0', `--gamma-url=${address}`, `--clob-url=${address}`);
    const url = await ready;
    const status = await (await fetch(`${url}/api/status`)).json();
    expect(status).toMatchObject({ status: 'empty', simulated: false });
    expect(program.output).toContain(
      'list: STOPS  Gamma lists open markets: NO (markets-keyset: network ECONNREFUSED).',
    );
  });

  it.concurrent('gets its first list although the first reads of the tables fail', async () => {
    const failing = join(import.meta.dirname, 'failing-reads.mjs');
    // The limit counts one request of the test. The program's own requests do not count.
    const options = ['--port=0', '--markets=120', '--rate-limit=1', '--verbose'];
    const { ready, program } = startNode('--import', failing, MAIN, ...options);
    const markets = await fetch(`${await ready}/api/markets?limit=2`);
    expect(await markets.json()).toHaveLength(2);
    expect(program.output).toMatch(/^\{"level":"ERROR",.*Connection timed out/m);
    expect(program.output).toMatch(/^\d+ markets, \d+ events in \d+\.\d s\.$/m);
    expect(program.child.exitCode).toBeNull();
  });

  it.concurrent('ends with status 2 and one sentence when an option is wrong', async () => {
    const { program } = start('--nonsense');
    expect(await program.status).toEqual([2, null]);
    expect(program.output).toBe("Unknown option '--nonsense'. --help lists the options.\n");
  });

  it.concurrent('ends without a stack trace when the program that reads its output ends', async () => {
    const { program } = start('--port=0', '--markets=120');
    program.child.stdout.destroy();
    expect(await program.status).toEqual([0, null]);
    expect(program.output).toBe('');
  });

  it.concurrent('starts nothing when the port is in use, and ends with status 2', async () => {
    const other = createServer();
    const port = new URL(await listen(other, 0)).port;
    const { program } = start('--port', port);
    const status = await program.status;
    other.close();
    expect(status).toEqual([2, null]);
    expect(program.output).toBe(`Port ${port} is in use: choose another with --port.\n`);
  });
});
