/**
 * The CloudFormation templates of the stack. Before any test, test/lib/synthesise.js writes one for
 * each variant, which is a deployment with its own settings. For example:
 *
 *     const prod = template('prod');
 *     const { id, properties } = only(prod, 'AWS::S3::Bucket');
 *     const periods = propertiesOf(prod, 'AWS::CloudWatch::Alarm').map(({ Period }) => Period);
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variant } from './variants.ts';

type Properties = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

export interface Template {
  /** By logical id, such as `SnapshotsTableAE12316E`. */
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

const FOLDER = join(import.meta.dirname, '..', '..', 'cdk.out', 'test');

function read(variant: Variant, file: string): string {
  return readFileSync(join(FOLDER, variant, file), 'utf8');
}

export function template(variant: Variant): Template {
  return JSON.parse(read(variant, 'MarketDataProxy.template.json'));
}

/** What the validation of the templates and cdk-nag reported; empty for a clean synthesis. */
export function findings(variant: Variant): string {
  return read(variant, 'findings.txt');
}

/** The metadata of the constructs as JSON. It contains the warnings that `cdk synth` prints. */
export function metadata(variant: Variant): string {
  return read(variant, 'MarketDataProxy.metadata.json');
}

/** The name and the tags of the stack, which are not in its template. */
export function stackOf(
  variant: Variant,
): Readonly<{ stackName: string; tags: Readonly<Record<string, string>> }> {
  return JSON.parse(read(variant, 'manifest.json')).artifacts.MarketDataProxy.properties;
}

interface FoundResource {
  /** The logical id. */
  readonly id: string;
  readonly properties: Properties;
}

/** The resources of a type, in the order of the template. */
export function resources(from: Template, type: string): readonly FoundResource[] {
  return Object.entries(from.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => ({ id, properties: Properties }));
}

export function propertiesOf(from: Template, type: string): readonly Properties[] {
  return resources(from, type).map(({ properties }) => properties);
}

export function idsOf(from: Template, type: string): readonly string[] {
  return resources(from, type).map(({ id }) => id);
}

/** @throws Error unless there is exactly one resource of the type */
export function only(from: Template, type: string): FoundResource {
  const [found, another] = resources(from, type);
  if (!found || another) throw new Error(`There is not exactly one ${type}`);
  return found;
}

/** A logical id without the eight characters of the hash that the CDK appends to it. */
export function withoutHash(logicalId: string): string {
  return logicalId.slice(0, -8);
}

/** The logical ids of functions that serve no route, without the hash, by handler. */
const OTHER_FUNCTIONS: Readonly<Record<string, string>> = {
  'refresh-snapshot': 'RefresherFunction',
  'archive-snapshots': 'ArchiverFunction',
  'check-service': 'CheckFunction',
};

/**
 * The logical id of a handler's function, without the hash.
 *
 * @example functionId('list-markets') // 'ReadListMarkets'
 */
export function functionId(handler: string): string {
  const pascal = handler.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return OTHER_FUNCTIONS[handler] ?? `Read${pascal}`;
}

/** @throws Error if the template has no function of the handler */
export function lambdaFunction(from: Template, handler: string): Properties {
  const functions = resources(from, 'AWS::Lambda::Function');
  const found = functions.find(({ id }) => withoutHash(id) === functionId(handler));
  if (!found) throw new Error(`There is no function ${handler}`);
  return found.properties;
}

/** The environment variables of a handler's function. */
export function variables(from: Template, handler: string): Readonly<Record<string, unknown>> {
  const { Environment } = lambdaFunction(from, handler);
  return (Environment as { readonly Variables: Readonly<Record<string, unknown>> }).Variables;
}

/** A usage plan of API Gateway, as CloudFormation names its limits. */
export interface UsagePlan {
  /** In requests per second, and in requests at once. */
  readonly Throttle: { readonly RateLimit: number; readonly BurstLimit: number };
  /** Only a partner's plan has it. */
  readonly Quota: { readonly Limit: number };
}

/** @throws Error if the template has no such usage plan */
export function usagePlan(from: Template, name: 'Public' | 'Partner'): UsagePlan {
  const plans = resources(from, 'AWS::ApiGateway::UsagePlan');
  const plan = plans.find(({ id }) => id.startsWith(`Plans${name}`));
  if (!plan) throw new Error(`There is no usage plan ${name}`);
  return plan.properties as unknown as UsagePlan;
}
