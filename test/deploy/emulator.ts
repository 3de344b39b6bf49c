import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UNKNOWN_RESOURCES } from './beyond-emulator.ts';
import type { Commands } from './commands.ts';
import { refuseRealAws, type Sandbox } from './sandbox.ts';

/** One AWS call: names as botocore has them (`dynamodb`, `list_tables`). */
export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials?: { readonly id: string; readonly secret: string };
}

export type AwsResult = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: string };

const START_WITHIN_MS = 30_000;

/** MiniStack, an emulator of AWS, in a process of its own. */
export class Emulator {
  readonly #sandbox: Sandbox;
  readonly #commands: Commands;
  /** A Python that can import MiniStack, and botocore with it. */
  readonly #python: string;

  constructor(sandbox: Sandbox, commands: Commands, python: string) {
    this.#sandbox = sandbox;
    this.#commands = commands;
    this.#python = python;
  }

  /** Resolves once it responds. What it writes, with what the functions log, goes to `emulator.log`. */
  async start(): Promise<void> {
    const { environment, endpoint, folder, port } = this.#sandbox;
    const launcher = [join(import.meta.dirname, 'start-emulator.py'), ...Object.keys(UNKNOWN_RESOURCES)];
    const child = this.#commands.start(this.#python, launcher, {
      cwd: folder,
      environment: {
        ...environment,
        BIND_HOST: '127.0.0.1',
        GATEWAY_PORT: String(port),
        IOT_MTLS_ENABLED: '0',
        // IAM policies are enforced: each function may do what its role allows, and nothing else.
        AUTH: 'true',
      },
    });
    const log = createWriteStream(join(folder, 'emulator.log'));
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    for (let waited = 0; waited < START_WITHIN_MS; waited += 100) {
      if (child.exitCode !== null) break;
      if (await responds(`${endpoint}/_ministack/health`)) return;
      await wait(100);
    }
    throw new Error(`MiniStack did not start; see ${folder}/emulator.log`);
  }

  /** Makes calls, one after the other. */
  async calls(calls: readonly AwsCall[]): Promise<AwsResult[]> {
    const { environment } = this.#sandbox;
    refuseRealAws(environment);
    const script = join(import.meta.dirname, 'aws.py');
    const input = JSON.stringify(calls);
    return JSON.parse(await this.#commands.run(this.#python, [script], { environment, input }));
  }

  /** Makes one call. @throws Error with AWS's code when it is refused */
  async call<T = Readonly<Record<string, unknown>>>(
    service: string,
    operation: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<T> {
    const [response] = await this.calls([{ service, operation, parameters }]);
    if (response && 'result' in response) return response.result as T;
    throw new Error(`${service} ${operation} was refused: ${response?.error}`);
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false; // not yet
  }
}
