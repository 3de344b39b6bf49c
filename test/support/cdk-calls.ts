import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack, Token } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { DeploymentOptions } from '../../lib/deployment.ts';
import { addRulePacks } from '../../lib/nag/rule-packs.ts';
import { deployedOf } from '../../tools/costs/deployed.ts';
import { fusesOf } from '../../tools/costs/fuses.ts';
import { documents } from '../../tools/docs/documents.ts';
import { deployment } from './app.ts';

type Context = Readonly<Record<string, unknown>>;

/** What tests ask of the CDK. Arguments and results are JSON: they travel between processes (see cdk-process.ts). */
export const CDK_CALLS = { stacks, ruleFindings, documents: () => documents(), deployedOf, fusesOf };

export type CdkCalls = typeof CDK_CALLS;

/** The stage's stacks as they would be deployed, by what a deployment calls them. */
function stacks({
  context,
  options,
}: {
  readonly context: Context;
  readonly options?: DeploymentOptions;
}): Stacks {
  const { service, waf } = deployment(context, options);
  const { stacks: synthesized } = (service.node.root as App).synth();
  const described = (stack: Stack): SynthesizedStack => ({
    template: synthesized.find(({ stackName }) => stackName === stack.stackName)?.template,
    region: Token.isUnresolved(stack.region) ? undefined : stack.region,
    terminationProtection: stack.terminationProtection ?? false,
    dependsOn: stack.dependencies.map(({ stackName }) => stackName),
  });
  return { service: described(service), ...(waf && { waf: described(waf) }) };
}

export interface Stacks {
  readonly service: SynthesizedStack;
  readonly waf?: SynthesizedStack;
}

export interface SynthesizedStack {
  readonly template: Record<string, unknown>;
  /** Undefined where the CLI decides. */
  readonly region?: string | undefined;
  readonly terminationProtection: boolean;
  readonly dependsOn: readonly string[];
}

/**
 * What cdk-nag reports of a deployment, warnings included.
 *
 * @throws where it finds an error
 */
function ruleFindings({
  context,
  openQueue,
}: {
  readonly context: Context;
  readonly openQueue?: boolean;
}): unknown[] {
  const { service } = deployment(context);
  const app = service.node.root as App;
  addRulePacks(app);
  if (openQueue) new Queue(new Stack(app, 'Another'), 'Open');
  const { directory } = app.synth();
  return JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')).pluginReports;
}
