import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stageFromContext } from '../../lib/config/stage-context.ts';
import { addDeployment } from '../../lib/deployment.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> & { readonly Rules?: readonly unknown[] };
}

/** A stack as it would be deployed. */
export interface SynthesizedTemplate {
  readonly stackName: string;
  readonly resources: Readonly<Record<string, TemplateResource>>;
}

/** The templates of a stage with cdk.json's flags; nothing is bundled, which no document asks for. */
export function templatesOf(context: Readonly<Record<string, string>>): SynthesizedTemplate[] {
  const { context: flags } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  // The CDK's own folder would stay, 20 MB each time.
  const outdir = mkdtempSync(join(tmpdir(), 'market-data-proxy-templates-'));
  try {
    const app = new App({
      outdir,
      builtinCloudFormationValidation: false,
      context: { ...flags, 'aws:cdk:bundling-stacks': [], ...context },
    });
    addDeployment(app, stageFromContext(app.node.getAllContext()));
    return app
      .synth()
      .stacks.map(({ stackName, template }) => ({ stackName, resources: template.Resources }));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
