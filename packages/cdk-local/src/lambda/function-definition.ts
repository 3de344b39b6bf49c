import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TemplateError } from '../template/json.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { type FunctionContext, functionEnvironment } from './function-environment.ts';

/** A function as the template defines it, with nothing left to resolve. */
export interface FunctionDefinition {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  /** Module of the bundle, as a file URL, and the name under which it exports the handler. */
  readonly module: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Further attempts after a failed asynchronous invocation, and how old its event may grow. */
  readonly asyncRetries: number;
  readonly asyncMaxAgeMs: number;
}

/** Lambda's defaults, from the references of AWS::Lambda::Function and AWS::Lambda::EventInvokeConfig. */
const DEFAULTS = { memoryMb: 128, timeoutSeconds: 3, asyncRetries: 2, asyncMaxAgeSeconds: 21_600 };

/** Reads one AWS::Lambda::Function. @throws {TemplateError} for a package or runtime that cannot run here */
export function defineFunction(resource: Resource, context: FunctionContext): FunctionDefinition {
  const { stack, assembly } = context;
  const { id, properties } = resource;
  const runtime = properties.string('Runtime');
  if (!runtime.startsWith('nodejs')) throw new TemplateError(`${id}.Runtime: cannot run ${runtime} here`);
  const key = properties.object('Code')?.optionalString('S3Key');
  if (key === undefined) throw new TemplateError(`${id}.Code must be a bundle of the cloud assembly (S3Key)`);
  const folder = assembly.bundleFolder(key);
  const [file = '', handler = ''] = splitHandler(properties.string('Handler'));
  const name = stack.ref(id);
  const async = asyncConfiguration(id, stack);
  const memoryMb = properties.optionalNumber('MemorySize') ?? DEFAULTS.memoryMb;
  return {
    id,
    name,
    arn: stack.attribute(id, 'Arn'),
    memoryMb,
    timeoutMs: (properties.optionalNumber('Timeout') ?? DEFAULTS.timeoutSeconds) * 1_000,
    module: moduleIn(folder, file),
    handler,
    environment: functionEnvironment(properties, context, { name, memoryMb, folder }),
    asyncRetries: async?.optionalNumber('MaximumRetryAttempts') ?? DEFAULTS.asyncRetries,
    asyncMaxAgeMs: (async?.optionalNumber('MaximumEventAgeInSeconds') ?? DEFAULTS.asyncMaxAgeSeconds) * 1_000,
  };
}

/** `index.handler` is the export `handler` of the module `index`. */
function splitHandler(handler: string): [string, string] {
  const dot = handler.lastIndexOf('.');
  if (dot <= 0) throw new TemplateError(`Handler ${handler} must be <module>.<export>`);
  return [handler.slice(0, dot), handler.slice(dot + 1)];
}

/** Lambda looks for these extensions, in this order. */
function moduleIn(folder: string, file: string): string {
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(folder, `${file}${extension}`))
    .find(existsSync);
  if (path === undefined) throw new TemplateError(`There is no module ${file} in ${folder}`);
  return pathToFileURL(path).href;
}

function asyncConfiguration(id: string, stack: Stack): Resource['properties'] | undefined {
  const name = stack.ref(id);
  const arn = stack.attribute(id, 'Arn');
  return stack
    .resources('AWS::Lambda::EventInvokeConfig')
    .find(({ properties }) => [name, arn].includes(properties.string('FunctionName')))?.properties;
}
