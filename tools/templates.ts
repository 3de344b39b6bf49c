import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stageFromContext } from '../lib/config/stage-context.ts';
import { addDeployment } from '../lib/deployment.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> & { readonly Rules?: readonly unknown[] };
}

/** A stack as it would be deployed. */
export interface SynthesizedTemplate {
  readonly stackName: string;
  readonly resources: Readonly<Record<string, TemplateResource>>;
}

type Context = Readonly<Record<string, string>>;

const synthesized = new Map<string, readonly SynthesizedTemplate[]>();

/** The templates of a stage with cdk.json's flags, made once for all documents; nothing is bundled, which none asks for. */
export function templatesOf(context: Context): readonly SynthesizedTemplate[] {
  const key = JSON.stringify(context);
  const templates = synthesized.get(key) ?? synthesize(context);
  synthesized.set(key, templates);
  return templates;
}

function synthesize(context: Context): readonly SynthesizedTemplate[] {
  const { context: flags } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
  // The CDK's own folder would stay, 20 MB each time.
  const outdir = mkdtempSync(join(tmpdir(), 'market-data-proxy-templates-'));
  try {
    const app = new App({
      outdir,
      builtinCloudFormationValidation: false,
      treeMetadata: false,
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
