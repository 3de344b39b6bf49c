/** Bundles the code of a Lambda function while the CDK synthesizes the stack. */
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../lambda/io/platform/environment.ts';
import { bundle } from './bundling.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The code of a handler as an asset. `NodejsFunction` would start npx per function, which takes
 * longer than bundling.
 */
export function bundledCode(handler: FunctionName): AssetCode {
  const entry = `lambda/handlers/${handler}.ts`;
  return Code.fromAsset(ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required, but unused: the local bundling below always succeeds.
      image: DockerImage.fromRegistry('scratch'),
      // The CDK bundles equal options only once, so the options of each function must differ.
      command: [entry],
      local: {
        tryBundle(folder) {
          bundle(entry, folder);
          return true;
        },
      },
    },
  });
}
