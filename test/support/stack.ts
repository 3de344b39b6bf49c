import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { MarketDataProxyStack } from '../../lib/market-data-proxy-stack.ts';
import { stageFromContext } from '../../lib/stage-context.ts';

/** An app with the context of cdk.json, so that the tests see the flags that a deployment has; no bundling. */
export function testApp(context: Readonly<Record<string, unknown>> = {}): App {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return new App({ context: { ...flags, 'aws:cdk:bundling-stacks': [], ...context } });
}

export function synthesizeStack(context: Readonly<Record<string, unknown>> = {}): Template {
  const app = testApp(context);
  const stage = stageFromContext((key) => app.node.tryGetContext(key));
  return Template.fromStack(new MarketDataProxyStack(app, 'MarketDataProxy', { stage }));
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
