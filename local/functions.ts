/** The service's functions, imported from source in place of their bundles in AWS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadFunctionName, ROUTES_BY_FUNCTION } from '../lambda/core/contract/route-table.ts';
import type { Environment } from '../lambda/io/platform/environment.ts';
import { buildPageFiles } from '../packages/market-page/build.ts';

/** The handler of a function, as Lambda calls it. */
export type Handler = (event: never, context: never) => Promise<unknown>;

/**
 * The functions that run locally: not the archive, which `npm run archive` runs, nor the check,
 * which calls a deployed service.
 */
export type LocalFunctionName = ReadFunctionName | 'refresh-snapshot';
export const LOCAL_FUNCTIONS: readonly LocalFunctionName[] = [
  'refresh-snapshot',
  ...ROUTES_BY_FUNCTION.keys(),
];

/**
 * Makes a lookup of handlers by name. It imports each function on first use, so that the service
 * starts sooner.
 */
export function functionsOf(
  environment: Environment,
): (name: LocalFunctionName) => Promise<Handler> {
  const loaded = new Map<LocalFunctionName, Promise<Handler>>();
  return (name) => {
    const handler = loaded.get(name) ?? load(name, environment);
    loaded.set(name, handler);
    return handler;
  };
}

async function load(name: LocalFunctionName, environment: Environment): Promise<Handler> {
  const { create } = await import(`../lambda/handlers/${name}.ts`);
  return create(
    name === 'get-page' ? { ...environment, PAGE_FILES: writePageFiles() } : environment,
  );
}

/**
 * Builds the page.
 *
 * @returns the file that is beside the function's bundle in AWS
 */
function writePageFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-page-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'page.json');
  writeFileSync(path, JSON.stringify(buildPageFiles()));
  return path;
}
