import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variant } from './variants.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

const FOLDER = join(import.meta.dirname, '..', '..', 'cdk.out', 'test');

function read(variant: Variant, file: string): string {
  return readFileSync(join(FOLDER, variant, file), 'utf8');
}

/** A template that test/lib/synthesise.js has written. */
export function template(variant: Variant): Template {
  return JSON.parse(read(variant, 'MarketDataProxy.template.json'));
}

/** What the validation of the templates and cdk-nag reported; empty for a clean synthesis. */
export function findings(variant: Variant): string {
  return read(variant, 'findings.txt');
}

/** What the CLI prints about the constructs of the service, among other things. */
export function metadata(variant: Variant): string {
  return read(variant, 'MarketDataProxy.metadata.json');
}

/** The stack as the manifest of the assembly describes it. */
export function stackOf(
  variant: Variant,
): Readonly<{ stackName: string; tags: Readonly<Record<string, string>> }> {
  return JSON.parse(read(variant, 'manifest.json')).artifacts.MarketDataProxy.properties;
}

/** The resources of a type by their logical ids. */
export function resources(from: Template, type: string): readonly (readonly [string, Resource])[] {
  return Object.entries(from.Resources).filter(([, resource]) => resource.Type === type);
}

/** @throws Error unless there is exactly one resource of the type */
export function only(from: Template, type: string): readonly [string, Resource] {
  const [found, another] = resources(from, type);
  if (!found || another) throw new Error(`There is not exactly one ${type}`);
  return found;
}

/** A logical id without the eight characters of its hash. */
export function withoutHash(logicalId: string): string {
  return logicalId.slice(0, -8);
}

/** The logical ids of functions that serve no route, without the hash. */
const OTHER_FUNCTIONS: Readonly<Record<string, string>> = {
  'refresh-snapshot': 'RefresherFunction',
  'archive-snapshots': 'ArchiverFunction',
  'check-service': 'CheckFunction',
};

/** The logical id of a handler's function, without the hash. */
export function functionId(handler: string): string {
  const pascal = handler.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return OTHER_FUNCTIONS[handler] ?? `Read${pascal}`;
}

/** @throws Error if the template has no function of the handler */
export function lambdaFunction(from: Template, handler: string): Resource['Properties'] {
  const id = functionId(handler);
  const found = resources(from, 'AWS::Lambda::Function').find(
    ([logicalId]) => withoutHash(logicalId) === id,
  );
  if (!found) throw new Error(`There is no function ${handler}`);
  return found[1].Properties;
}

export function variables(from: Template, handler: string): Readonly<Record<string, unknown>> {
  return (lambdaFunction(from, handler).Environment as { Variables: Record<string, unknown> })
    .Variables;
}
