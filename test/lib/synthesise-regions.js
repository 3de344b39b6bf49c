/** Prints what each accepted region finds wrong with a stage: `{"<region>": "<findings>"}`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { resolveSettings } from '../../lib/config/resolve-settings.ts';
import { REGIONS } from '../../lib/config/settings.ts';
import { stageConfig } from '../../lib/config/stage-config.ts';
import { addDeployment } from '../../lib/deployment.ts';

const { context: flags } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'regions-'));
const findings = {};
for (const region of REGIONS) {
  const settings = { stage: 'dev', region };
  const app = new App({
    outdir: join(folder, region),
    context: { ...flags, ...settings, 'aws:cdk:bundling-stacks': [] },
  });
  addDeployment(app, stageConfig(resolveSettings(settings, undefined)));
  try {
    app.synth();
    findings[region] = '';
  } catch (error) {
    findings[region] = error.message;
  }
}
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(findings));
