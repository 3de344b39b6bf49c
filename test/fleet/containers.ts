import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { bundle } from '../../lib/bundling.ts';
import { apiEvent, type EventOptions } from '../support/api-event.ts';

/** The functions that a container of this test has, each with the bundle that a deployment has. */
const FUNCTIONS = [
  'get-prices-histories',
  'get-prices-history',
  'get-market',
  'get-order-book',
  'list-order-books',
  'list-markets',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

export interface FleetRequest extends EventOptions {
  readonly function: FunctionName;
  /** Tokens of the request that CLOB knows. */
  readonly listedTokens?: readonly string[];
}

/** One process that handles one request at a time, as a container of Lambda does. */
export interface Container {
  request(request: FleetRequest): Promise<APIGatewayProxyResult>;
  /** How often the functions could not use the table in time. */
  warnings(): number;
  stop(): void;
}

const CONTAINER_PRIORITY = 10;
const RUN = `
  const [folder, ...names] = process.argv.slice(1);
  const load = async (name) => [name, (await import(folder + '/' + name + '/index.mjs')).handler];
  const handlers = Object.fromEntries(await Promise.all(names.map(load)));
  process.on('message', async ({ name, event }) => process.send(await handlers[name](event, {})));
  process.on('disconnect', () => process.exit());
  process.send('ready');
`;

export function bundleFunctions(folder: string): void {
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, name));
    bundle(`lambda/handlers/${name}.ts`, join(folder, name));
  }
}

export async function startContainer(folder: string, environment: Record<string, string>): Promise<Container> {
  const args = ['--input-type=module', '--eval', RUN, folder, ...FUNCTIONS];
  const process: ChildProcess = spawn(globalThis.process.execPath, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  await Promise.race([
    once(process, 'message'),
    once(process, 'exit').then(() => Promise.reject(new Error(`A container did not start:\n${log}`))),
  ]);
  // The database comes first: its delays would be those of the machine, not of a table.
  if (process.pid) setPriority(process.pid, CONTAINER_PRIORITY);
  return {
    async request({ function: name, ...options }) {
      process.send({ name, event: apiEvent(options) });
      const [result] = await once(process, 'message');
      return result;
    },
    warnings: () => log.match(/is unavailable:/g)?.length ?? 0,
    stop: () => process.disconnect(),
  };
}
