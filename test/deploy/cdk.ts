import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commands } from './commands.ts';
import { ACCOUNT, REGION, refuseRealAws, type Sandbox } from './sandbox.ts';

/** Context values of a deployment, as `-c` takes them. */
export type Context = Readonly<Record<string, string | number | boolean>>;

/** The real CDK CLI, as a person runs it. */
export class Cdk {
  readonly #sandbox: Sandbox;
  readonly #commands: Commands;

  constructor(sandbox: Sandbox, commands: Commands) {
    this.#sandbox = sandbox;
    this.#commands = commands;
  }

  bootstrap(): Promise<string> {
    return this.#cdk(['bootstrap', `aws://${ACCOUNT}/${REGION}`]);
  }

  /** @returns the outputs of the stack */
  async deploy(context: Context): Promise<Readonly<Record<string, string>>> {
    const outputs = join(this.#sandbox.folder, 'outputs.json');
    const options = ['--require-approval', 'never', '--outputs-file', outputs];
    await this.#cdk(['deploy', ...options, ...flags(context)]);
    const stacks: Record<string, Record<string, string>> = JSON.parse(await readFile(outputs, 'utf8'));
    return Object.assign({}, ...Object.values(stacks));
  }

  destroy(context: Context): Promise<string> {
    return this.#cdk(['destroy', '--force', ...flags(context)]);
  }

  #cdk(args: readonly string[]): Promise<string> {
    const { environment, folder } = this.#sandbox;
    refuseRealAws(environment);
    const output = ['--output', join(folder, 'cdk.out')];
    return this.#commands.run('npx', ['cdk', ...args, ...output, '--no-notices'], { environment });
  }
}

/** A context as the command line takes it. */
export function flags(context: Context): string[] {
  return Object.entries(context).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}
