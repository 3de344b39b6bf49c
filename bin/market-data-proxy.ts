import { App } from 'aws-cdk-lib';
import { deployedVersion, runbookUrlOfOrigin } from '../lib/config/deployed-version.ts';
import { region } from '../lib/config/setting-kinds.ts';
import { stageFromContext } from '../lib/config/stage-context.ts';
import { StageError } from '../lib/config/stage-error.ts';
import { addDeployment } from '../lib/deployment.ts';
import { addRulePacks } from '../lib/nag/rule-packs.ts';

const app = new App();
try {
  const stage = stageFromContext(app.node.getAllContext());
  addDeployment(app, stage, {
    cliRegion: supportedRegion(process.env.CDK_DEFAULT_REGION),
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

/** The region of the CLI's profile or environment, which may be no place for this service as a setting may. */
function supportedRegion(name: string | undefined): string | undefined {
  if (name === undefined || region.read(name) !== undefined) return name;
  throw new StageError(`The CDK CLI deploys to ${name}: it must be ${region.allowed}.`);
}
