/**
 * Synthesises the variants that the tests of `lib` read, once for all test files:
 * `cdk.out/test/<variant>`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIANTS } from './variants.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const QUIET = {
  // The assets are not bundled: the templates do not depend on the code.
  'aws:cdk:bundling-stacks': [],
  // Warnings stay in the metadata, and are not printed.
  '@aws-cdk/core:annotationsInValidationReport': false,
};

export default async function synthesise() {
  const { App } = await import('aws-cdk-lib');
  const { resolveSettings } = await import('../../lib/config/resolve-settings.ts');
  const { stageConfig } = await import('../../lib/config/stage-config.ts');
  const { addDeployment } = await import('../../lib/deployment.ts');
  const { addSecurityRules } = await import('../../lib/acknowledge.ts');
  // Without the feature flags of cdk.json the CDK would make another template.
  const { context: flags } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  for (const [variant, settings] of Object.entries(VARIANTS)) {
    const outdir = join(ROOT, 'cdk.out', 'test', variant);
    rmSync(outdir, { recursive: true, force: true });
    const app = new App({ outdir, context: { ...flags, ...settings, ...QUIET } });
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
