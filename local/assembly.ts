import { fileURLToPath } from 'node:url';
import { type Assembly, synthesizeCached } from 'cdk-local';

const PROJECT_FOLDER = fileURLToPath(new URL('../', import.meta.url));
/** All that decides what the app synthesises; a test holds that nothing outside of it is imported. */
export const APP_INPUTS = [
  'bin',
  'lambda',
  'lib',
  'packages/client/src',
  'packages/market-page/build.ts',
  'packages/market-page/site.ts',
  'packages/market-page/src',
  'stages',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
] as const;

/**
 * The project's own app, synthesised and bundled; again only when its source or the context has changed.
 * @throws {StartError} when the app fails
 */
export function projectAssembly(
  context: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Assembly> {
  return synthesizeCached(context, {
    projectFolder: PROJECT_FOLDER,
    inputs: APP_INPUTS,
    cacheFolder: `${PROJECT_FOLDER}node_modules/.cache/market-data-proxy`,
    ...(signal && { signal }),
  });
}
