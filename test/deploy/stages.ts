/**
 * Deploys and deletes stages (deployments of the stack) with the CDK for `npm run test:deploy`, in
 * an emulator of AWS.
 */
import { ok } from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from './archive.ts';
import { ACCOUNT, type Emulator, REGION } from './emulator.ts';
import { inventory } from './inventory.ts';

/**
 * Schedules start functions in the first seconds of a minute. The longest, a check of a front door
 * that does not respond, takes 20 s.
 */
const FUNCTIONS_END_AT_SECOND = 30;
/** A deletion that begins later may last into the next minute, when functions start again. */
const DELETE_UNTIL_SECOND = 45;

/**
 * The stages in the emulator. For example:
 *
 *     const stages = new Stages(emulator);
 *     await stages.bootstrap();
 *     const { BaseUrl } = await stages.deploy('dev', ['-c', 'maxMarkets=200']);
 *     await stages.destroy('dev');
 */
export class Stages {
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  async bootstrap(): Promise<void> {
    const templates = ['--output', this.#templatesOf('bootstrap')];
    await this.#cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, ...templates);
    // The bucket of the bootstrap rejects plain HTTP, which is all that the emulator speaks.
    const Bucket = `cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`;
    await this.#emulator.call('s3', 'delete_bucket_policy', { Bucket });
  }

  /** @param settings as arguments of the CDK: `-c`, `name=value` */
  async deploy(stage: string, settings: readonly string[]): Promise<Outputs> {
    const file = join(this.#emulator.folder, 'outputs.json');
    const paths = ['--output', this.#templatesOf(stage), '--outputs-file', file];
    const options = ['--require-approval', 'never', ...paths];
    await this.#cdk('deploy', ...options, '-c', `stage=${stage}`, ...settings);
    const stacks = JSON.parse(await readFile(file, 'utf8'));
    return stacks[`market-data-proxy-${stage}`];
  }

  /**
   * Deploys a template with a resource that the emulator cannot create, so that the caller can see
   * what is left after CloudFormation has rolled back.
   *
   * @throws Error if the deployment succeeds
   */
  async failToDeploy(settings: readonly string[]): Promise<void> {
    const templates = this.#templatesOf('failed');
    await this.#cdk('synth', '--quiet', '--output', templates, '-c', 'stage=dev', ...settings);
    const file = join(templates, 'MarketDataProxy.template.json');
    const template = JSON.parse(await readFile(file, 'utf8'));
    template.Resources.Broken = { Type: 'AWS::None::Existing' };
    await writeFile(file, JSON.stringify(template));
    const isDeployed = await this.#cdk('deploy', '--require-approval', 'never', '--app', templates)
      .then(() => true)
      .catch(() => false);
    ok(!isDeployed, 'the broken template is deployed');
  }

  /**
   * Deletes the stage that `deploy` made, while no function runs. If one wrote a line after its log
   * group was deleted, the emulator would create the group again. AWS does not.
   */
  async destroy(stage: string): Promise<void> {
    const second = (Date.now() / 1_000) % 60;
    const end = FUNCTIONS_END_AT_SECOND;
    if (second < end) await sleep((end - second) * 1_000);
    if (second > DELETE_UNTIL_SECOND) await sleep((60 + end - second) * 1_000);
    await this.#cdk('destroy', '--force', '--app', this.#templatesOf(stage));
  }

  /** Ends the protection against deletion, as a person does. @throws Error if there is none */
  async unprotect(stage: string): Promise<void> {
    const StackName = `market-data-proxy-${stage}`;
    const { Stacks } = await this.#emulator.call('cloudformation', 'describe_stacks', {
      StackName,
    });
    const [stack] = Stacks as readonly { readonly EnableTerminationProtection?: boolean }[];
    const isProtected = stack?.EnableTerminationProtection === true;
    ok(isProtected, `${StackName} is not protected against deletion`);
    await this.#emulator.call('cloudformation', 'update_termination_protection', {
      StackName,
      EnableTerminationProtection: false,
    });
  }

  /** The resources of the account that are not in `before`. */
  async addedSince(before: ReadonlySet<string>): Promise<readonly string[]> {
    return [...(await inventory(this.#emulator))].filter((resource) => !before.has(resource));
  }

  async #cdk(...args: readonly string[]): Promise<void> {
    await this.#emulator.run('npx', ['cdk', ...args, '--no-notices']);
  }

  /** The folder in which the CDK leaves the templates of a stage. */
  #templatesOf(stage: string): string {
    return join(this.#emulator.folder, `cdk.out-${stage}`);
  }
}
