import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Credential providers that a function never uses: its credentials come from the environment. Without them a cold
 * start loads half the code (26 ms instead of 45 ms). The end-to-end tests run these very bundles.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
];

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
    external: NEVER_LOADED,
    alias: SMALLER,
    // CommonJS dependencies inside an ES module still call require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
