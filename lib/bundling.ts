/** Makes the code that AWS Lambda runs: one small file for each function, with all its imports. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildPageFiles } from '../packages/market-page/build.ts';
import { repositoryUrl } from './config/deployed-version.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * The name of the file with the page's files, beside the bundle: the value of PAGE_FILES in AWS.
 */
export const PAGE_FILES_NAME = 'page.json';

/** Modules of ours that replace larger ones of the SDK. */
const SMALLER_MODULES = {
  // The SDK's search for credentials has 135 KB, but a function's are in its environment.
  '@aws-sdk/credential-provider-node': script(`
    export const defaultProvider = () => async () => ({
      accessKeyId: process.env.AWS_ACCESS_KEY_ID,
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
      sessionToken: process.env.AWS_SESSION_TOKEN,
    })`),
};

/**
 * Writes the bundle of one function: an ES module with the handler and all its imports, its source
 * map and, for the page's function, the page's files.
 *
 * @param entry handler path from the project's root
 * @param folder an existing folder
 */
export function bundle(entry: string, folder: string): void {
  buildSync({
    // The entry of the bundle: `index.handler`, which Lambda calls.
    stdin: {
      contents: `import { mapStacks } from './lambda/io/platform/source-maps.ts';
import { create } from './${entry}';
mapStacks(import.meta.filename);
export const handler = create(process.env);
`,
      resolveDir: ROOT,
      sourcefile: 'entry.js',
    },
    absWorkingDir: ROOT,
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // The SDK's ES modules, from which esbuild can remove unused code.
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    alias: SMALLER_MODULES,
    // Left out, because it makes esbuild wrap 158 modules in lazy initialisers. Only the archive's
    // function needs it, for S3: DynamoDB has no event streams.
    external: entry.endsWith('/archive-snapshots.ts') ? [] : ['@smithy/core/event-streams'],
    logLevel: 'warning',
  });
  if (entry.endsWith('/get-page.ts')) {
    writeFileSync(join(folder, PAGE_FILES_NAME), JSON.stringify(buildPageFiles(repositoryUrl())));
  }
}

/** A module as a URL, which esbuild bundles like a file. */
function script(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
