/**
 * Jest's global set-up for the tests of `lib`. It synthesises each variant of variants.ts once for
 * all test files, into `cdk.out/test/<variant>`. Tests read the results through templates.ts.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addSecurityRules } from '../../lib/acknowledge.ts';
import { resolveSettings } from '../../lib/config/resolve-settings.ts';
import { stageConfig } from '../../lib/config/stage-config.ts';
import { addDeployment } from '../../lib/deployment.ts';
import { VARIANTS } from './variants.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const CDK_OPTIONS = {
  // No stack bundles the code of its functions, which takes long and changes no template.
  'aws:cdk:bundling-stacks': [],
  // Warnings stay in the metadata, and are not printed.
  '@aws-cdk/core:annotationsInValidationReport': false,
};

export default function synthesise() {
  // Without the feature flags of cdk.json the CDK would make another template.
  const { context: flags } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  for (const [variant, settings] of Object.entries(VARIANTS)) {
    const outdir = join(ROOT, 'cdk.out', 'test', variant);
    rmSync(outdir, { recursive: true, force: true });
    const app = new App({ outdir, context: { ...flags, ...settings, ...CDK_OPTIONS } });
    addDeployment(app, stageConfig(resolveSettings(settings, undefined)));
    addSecurityRules(app);
    let findings = '';
    try {
      app.synth();
    } catch (error) {
      findings = String(error.message);
    }
    writeFileSync(join(outdir, 'findings.txt'), findings);
  }
}
