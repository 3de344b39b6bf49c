import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The account that the emulator plays, and where. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** A folder for everything that is written, and the environment of everything that is run. */
export interface Sandbox {
  readonly folder: string;
  /** Where the emulator listens. */
  readonly endpoint: string;
  readonly port: number;
  /** Complete: nothing of this process's own AWS settings is passed on. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/**
 * The settings under which the CDK and the SDKs can reach nothing but the emulator: an endpoint on loopback,
 * credentials that are none, and no profile, no instance metadata and no home folder to find others in.
 */
export async function makeSandbox(port: number): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'market-data-proxy-deploy-'));
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    folder,
    endpoint,
    port,
    environment: {
      // The emulator runs the functions with the first `node` there is: the one that runs this.
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      CI: 'true',
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      npm_config_update_notifier: 'false',
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @throws Error unless a command with this environment can reach nothing but this machine */
export function refuseRealAws(environment: Readonly<Record<string, string>>): void {
  const endpoint = environment.AWS_ENDPOINT_URL ?? '';
  const others = Object.keys(environment).filter(
    (name) => name.startsWith('AWS_ENDPOINT_URL_') || name === 'AWS_PROFILE' || name === 'AWS_SESSION_TOKEN',
  );
  const loopback = URL.canParse(endpoint) && new URL(endpoint).hostname === '127.0.0.1';
  if (loopback && others.length === 0 && environment.AWS_ACCESS_KEY_ID === 'test') return;
  throw new Error('This test runs against an emulator on 127.0.0.1 only, and never with real credentials.');
}
