import { App } from 'aws-cdk-lib';
import { deployedVersion, runbookUrlOfOrigin } from '../lib/config/deployed-version.ts';
import { stageFromContext } from '../lib/config/stage-context.ts';
import { StageError } from '../lib/config/stage-error.ts';
import { supportedRegion } from '../lib/config/supported-region.ts';
import { addDeployment } from '../lib/deployment.ts';
import { addRulePacks } from '../lib/nag/rule-packs.ts';

const app = new App();
try {
  const cliRegion = supportedRegion(process.env.CDK_DEFAULT_REGION);
  const stage = stageFromContext(app.node.getAllContext(), cliRegion);
  addDeployment(app, stage, {
    cliRegion,
    version: deployedVersion(),
    runbookUrl: runbookUrlOfOrigin(),
  });
  addRulePacks(app);
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  // The deployer's mistake, not ours: a sentence and no stack trace.
  console.error(`Error: ${error.message}`);
  process.exit(1);
}
