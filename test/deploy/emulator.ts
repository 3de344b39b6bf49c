/**
 * MiniStack is an emulator of AWS: a Python program that answers the calls of AWS's clients. `npm
 * run test:deploy` deploys the stack to it, through `Emulator`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listen } from '../../local/simulator/listen.ts';
import { pythonPrograms } from '../../tools/programs.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'eu-west-1';

/**
 * Resource types that MiniStack does not know. start-emulator.py makes it accept them and create
 * nothing. test/lib checks them in the template.
 */
const UNKNOWN_RESOURCES = [
  'AWS::Budgets::Budget',
  'AWS::Logs::QueryDefinition',
  'AWS::WAFv2::WebACLAssociation',
];
const START_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 100_000_000;

/** A call of AWS's client for Python, botocore. */
export interface AwsCall {
  /** Names of botocore, such as `dynamodb` and `list_tables`. */
  readonly service: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly region?: string;
}

type AwsResult =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: string };

/**
 * MiniStack in a process and a folder of its own. A program that runs with its environment reaches
 * nothing but the emulator: the endpoint is on loopback, the credentials are invalid, and there is
 * no profile. For example:
 *
 *     const emulator = await Emulator.start();
 *     try {
 *       await emulator.run('npx', ['cdk', 'deploy', '--require-approval', 'never']);
 *       const { Functions } = await emulator.call('lambda', 'list_functions');
 *     } finally {
 *       await emulator.stop();
 *     }
 */
export class Emulator {
  readonly folder: string;
  readonly endpoint: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #python: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, endpoint: string, programs: string) {
    this.folder = folder;
    this.endpoint = endpoint;
    this.#python = join(programs, 'python');
    this.environment = {
      // The emulator runs functions with the first `node` of the path.
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: folder,
      TMPDIR: folder,
      CI: 'true',
      AWS_ENDPOINT_URL: this.endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    };
    this.#child = spawn(
      this.#python,
      [join(import.meta.dirname, 'start-emulator.py'), ...UNKNOWN_RESOURCES],
      {
        cwd: folder,
        env: {
          ...this.environment,
          BIND_HOST: '127.0.0.1',
          GATEWAY_PORT: new URL(endpoint).port,
          IOT_MTLS_ENABLED: '0',
          // IAM policies are enforced: each function may do what its role allows.
          AUTH: 'true',
        },
        // A process group of its own, so that the processes of the functions end with it.
        detached: true,
      },
    );
    const log = createWriteStream(join(folder, 'emulator.log'));
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
  }

  static async start(): Promise<Emulator> {
    const programs = pythonPrograms('ministack');
    const folder = await mkdtemp(join(tmpdir(), 'market-data-proxy-deploy-'));
    const emulator = new Emulator(folder, await freeAddress(), programs);
    const startsUntil = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < startsUntil && emulator.#child.exitCode === null) {
      if (await responds(`${emulator.endpoint}/_ministack/health`)) return emulator;
      await sleep(200);
    }
    const log = await emulator.log();
    await emulator.stop();
    throw new Error(`MiniStack does not start: ${log}`);
  }

  /** The end of what the emulator and the functions have logged. */
  async log(): Promise<string> {
    const lines = lastLines(await readFile(join(this.folder, 'emulator.log'), 'utf8'));
    return lines.map((line) => line.slice(0, 300)).join('\n');
  }

  /** Makes AWS calls one after the other. @returns their results or errors, in the same order */
  async calls(calls: readonly AwsCall[]): Promise<readonly AwsResult[]> {
    const script = join(import.meta.dirname, 'aws.py');
    return JSON.parse(await this.run(this.#python, [script], JSON.stringify(calls)));
  }

  /** @throws Error with AWS's code if the call fails */
  async call(
    service: string,
    operation: string,
    parameters: AwsCall['parameters'] = {},
    region = REGION,
  ) {
    const [response] = await this.calls([{ service, operation, parameters, region }]);
    if (response && 'result' in response) return response.result;
    throw new Error(`${service} ${operation} failed: ${response?.error}`);
  }

  /**
   * Runs a program to its end with the environment of the emulator.
   *
   * @returns its standard output
   */
  async run(program: string, args: readonly string[], input = ''): Promise<string> {
    const running = promisify(execFile)(program, [...args], {
      env: this.environment,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    running.child.stdin?.on('error', () => undefined).end(input);
    const { stdout } = await running.catch((error) => {
      const output = lastLines(`${error.stdout}${error.stderr}`).join('\n');
      const command = [program, ...args.slice(0, 3)].join(' ');
      throw new Error(`${command} ended with ${error.code}:\n${output}`);
    });
    return stdout;
  }

  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && this.#child.exitCode === null) {
      const closed = new Promise((resolve) => this.#child.once('close', resolve));
      process.kill(-pid, 'SIGKILL');
      await closed;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

const lastLines = (text: string): readonly string[] => text.trimEnd().split('\n').slice(-40);

/** An address on which nothing listens. */
async function freeAddress(): Promise<string> {
  const server = createServer();
  const url = await listen(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
