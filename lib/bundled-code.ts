import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { openApiText } from '../lambda/contract/openapi-text.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Modules of Node.js that the functions use. An import of one as an ES module reads all of its exports, among them those
 * that Node loads when they are first read: `node:http` brings the fetch implementation and HTTP/2 along (48 ms of CPU
 * of a cold start), `node:crypto` WebCrypto (8 ms). A property of the module itself is read when it is used.
 */
const BUILT_INS = ['async_hooks', 'crypto', 'fs', 'http', 'https', 'module', 'net', 'stream', 'url', 'zlib'];

/** The package of the tools' protocol brings a schema validator of 154 KB for Node, which we never call, and one of 22. */
const SMALLER = {
  '@modelcontextprotocol/server/_shims': `${ROOT}node_modules/@modelcontextprotocol/server/dist/shimsWorkerd.mjs`,
};

/**
 * One ES module with all that a handler needs, its AWS SDK included. esbuild is called in this process:
 * `NodejsFunction` starts npx for each function, which takes longer than the bundling.
 *
 * @param entry the handler's file, from the root of the project
 */
export function bundledCode(entry: string): AssetCode {
  return Code.fromAsset(ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('scratch'), // never asked for: what follows needs no container
      command: [entry], // tells one bundle from another: the CDK makes equal ones once
      local: {
        tryBundle(folder) {
          bundle(entry, folder);
          return true;
        },
      },
    },
  });
}

function bundle(entry: string, folder: string): void {
  buildSync({
    entryPoints: [`${ROOT}${entry}`],
    absWorkingDir: ROOT,
    outfile: `${folder}/index.mjs`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    alias: { ...SMALLER, ...Object.fromEntries(BUILT_INS.map((name) => [`node:${name}`, builtIn(name)])) },
    define: { OPENAPI_TEXT: JSON.stringify(openApiText()) },
    // CommonJS dependencies inside an ES module still call require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** A file that stands for a module of Node.js. */
function builtIn(name: string): string {
  return `${ROOT}lib/bundling/node-${name}.cjs`;
}
