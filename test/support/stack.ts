import { Template } from 'aws-cdk-lib/assertions';
import type { DeploymentOptions } from '../../lib/deployment.ts';
import type { Stacks } from './cdk-calls.ts';
import { inCdkProcess } from './cdk-process.ts';
import type { Variant } from './variants.ts';

type Context = Readonly<Record<string, unknown>>;

/** The template of the service's stack. */
export function synthesizeStack(context: Context = {}, options?: DeploymentOptions): Template {
  return Template.fromJSON(synthesizeStacks(context, options).service.template);
}

/** The template of the web ACL's stack. @throws where the stage has none */
export function synthesizeWaf(variant: Variant): Template {
  const { waf } = synthesizeStacks(...variant);
  if (!waf) throw new Error('The stage has no web ACL');
  return Template.fromJSON(waf.template);
}

/** The stacks with what no template says: region, dependencies, protection. */
export function synthesizeStacks(given: Context = {}, options?: DeploymentOptions): Stacks {
  // By one name, so that it is synthesised once.
  const { stage = 'dev', ...settings } = given;
  const context = { stage, ...settings };
  return inCdkProcess('stacks', { context, ...(options && { options }) });
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
