import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageFromContext } from '../../lib/config/stage-context.ts';
import { addDeployment, type Deployment } from '../../lib/deployment.ts';

/** An app with the context of cdk.json, so that the tests see the flags that a deployment has; no bundling. */
export function testApp(context: Readonly<Record<string, unknown>> = {}): App {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return new App({ context: { ...flags, 'aws:cdk:bundling-stacks': [], ...context } });
}

/** The stacks of the context's stage. */
export function deployment(context: Readonly<Record<string, unknown>> = {}): Deployment {
  const app = testApp(context);
  return addDeployment(
    app,
    stageFromContext((key) => app.node.tryGetContext(key)),
  );
}

/** The stack of the service. */
export function synthesizeStack(context: Readonly<Record<string, unknown>> = {}): Template {
  return Template.fromStack(deployment(context).service);
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** All resources of a type by their logical ids. */
export function resources(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.findResources(type)) as [string, Resource][];
}
