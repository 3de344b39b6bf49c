import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stageFromContext } from '../../lib/config/stage-context.ts';
import { addDeployment, type Deployment, type DeploymentOptions } from '../../lib/deployment.ts';

/**
 * An app with the context of cdk.json, so that the tests see the flags that a deployment has. It bundles nothing and
 * leaves out the CDK's own check of the templates, which takes three seconds: `npm run synth` does both. Nor does it write
 * what only the CDK's console reads: the tree of constructs and where each was made.
 */
export function testApp(context: Readonly<Record<string, unknown>> = {}): App {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  // One folder for all: what every stack holds, such as the page, is copied once, and the run removes it.
  const folder = process.env.TEST_RUN_FOLDER;
  if (!folder) throw new Error('jest-global-setup.js has not run');
  return new App({
    outdir: join(folder, 'assembly'),
    builtinCloudFormationValidation: false,
    treeMetadata: false,
    context: { ...flags, 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true, ...context },
  });
}

/** The stacks of the context's stage. For a template alone take `synthesizeStack`: it needs no CDK in the test file. */
export function deployment(
  context: Readonly<Record<string, unknown>> = {},
  options: DeploymentOptions = {},
): Deployment {
  const app = testApp(context);
  return addDeployment(app, stageFromContext(app.node.getAllContext()), options);
}
