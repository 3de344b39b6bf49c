/** The CDK app: the stack of one stage, which the context names (`-c stage=prod`). */
import { App } from 'aws-cdk-lib';
import { addSecurityRules } from '../lib/acknowledge.ts';
import { regionOfEnvironment, resolveSettings } from '../lib/config/resolve-settings.ts';
import { StageError } from '../lib/config/settings.ts';
import { stageConfig } from '../lib/config/stage-config.ts';
import { addDeployment } from '../lib/deployment.ts';

const app = new App();
try {
  const settings = resolveSettings(app.node.getAllContext(), regionOfEnvironment(process.env));
  addDeployment(app, stageConfig(settings));
  addSecurityRules(app);
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  // A mistake of the deployer: one sentence without a stack trace.
  console.error(`Error: ${error.message}`);
  process.exit(1);
}
