import { App } from 'aws-cdk-lib';
import { stageFromContext } from '../lib/config/stage-context.ts';
import { StageError } from '../lib/config/stage-error.ts';
import { addDeployment } from '../lib/deployment.ts';
import { addRulePacks } from '../lib/nag/rule-packs.ts';

const app = new App();
try {
  const stage = stageFromContext(app.node.getAllContext());
  addDeployment(app, stage, process.env.CDK_DEFAULT_REGION);
  addRulePacks(app);
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  // The deployer's mistake, not ours: a sentence and no stack trace.
  console.error(`Error: ${error.message}`);
  process.exit(1);
}
