/**
 * `npm run settings -- <stage> [-c key=value …]`: what would be deployed, and where each value comes from: the default,
 * the file of the stage, or the command line.
 */
import { StageError } from '../../lib/config/stage-error.ts';
import { supportedRegion } from '../../lib/config/supported-region.ts';
import { readContext } from './options.ts';
import { settingsReport } from './report.ts';

try {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const context = readContext(process.argv.slice(2));
  console.log(settingsReport(context, supportedRegion(AWS_REGION ?? AWS_DEFAULT_REGION)));
} catch (error) {
  if (!(error instanceof StageError) && !(error instanceof TypeError)) throw error;
  console.error(`Error: ${error.message}`);
  process.exit(1);
}
