/**
 * `npm run synth`: makes the CloudFormation templates of several deployments, and checks them with
 * linters. Options: see USAGE.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addSecurityRules } from '../lib/acknowledge.ts';
import { type Context, resolveSettings } from '../lib/config/resolve-settings.ts';
import { REGIONS } from '../lib/config/settings.ts';
import { stageConfig } from '../lib/config/stage-config.ts';
import { addDeployment } from '../lib/deployment.ts';
import { readArguments } from './arguments.ts';
import { pinned, pythonPrograms } from './programs.ts';

const USAGE = `Usage: npm run synth

Synthesises four deployments, checks them with cdk-nag, cdk-preflight and cfn-lint, and a stage in every region.`;

const PREFLIGHT = 'cdk-preflight';
/** The region of deployments that name none. */
const REGION = 'eu-west-1';
const PROD = { stage: 'prod', alarmEmail: 'on-call@example.com', webAcl: true };
/** The deployments that the linters check, by the folder in cdk.out, with their settings. */
const DEPLOYMENTS: Readonly<Record<string, Context>> = {
  dev: { stage: 'dev' },
  prod: PROD,
  'prod-us-east-1': { ...PROD, region: 'us-east-1' },
  'dev-without-edge': { stage: 'dev', edge: false },
};
const ROOT = join(import.meta.dirname, '..');
/** The context of each app, which is where the flags of the CDK are. */
const { context: CONTEXT } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));

/** What we use of cdk-preflight. npx installs it, because it is not a package of the project. */
interface PreflightModule {
  readonly Preflight: { apply(app: App, options: { readonly strict: boolean }): void };
}

/**
 * Synthesises the stage `dev` in every accepted region, each of which must have all resource types.
 * The code is not bundled.
 *
 * @throws Error with the findings
 */
function synthesiseRegions(): void {
  const findings = REGIONS.flatMap((region) => {
    const outdir = join(ROOT, 'cdk.out', 'regions', region);
    const app = new App({ outdir, context: { ...CONTEXT, 'aws:cdk:bundling-stacks': [] } });
    const settings = { stage: 'dev', region, webAcl: true };
    addDeployment(app, stageConfig(resolveSettings(settings, undefined)));
    try {
      app.synth();
      return [];
    } catch (error) {
      return [`${region}: ${(error as Error).message}`];
    }
  });
  if (findings.length > 0) throw new Error(findings.join('\n'));
  console.log(`dev: ${REGIONS.length} regions, no findings`);
}

/** Loads cdk-preflight from the PATH, where npx puts the folder of its installation. */
function loadPreflight(): PreflightModule | undefined {
  const programs = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder.includes('_npx'));
  for (const folder of programs) {
    try {
      return createRequire(join(dirname(folder), 'package.json'))(PREFLIGHT);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** Synthesises a deployment with cdk-nag and cdk-preflight. */
function synthesise(name: string, settings: Context, { Preflight }: PreflightModule): void {
  const app = new App({ context: CONTEXT, outdir: join(ROOT, 'cdk.out', name) });
  addDeployment(app, stageConfig(resolveSettings(settings, REGION)));
  addSecurityRules(app);
  Preflight.apply(app, { strict: true });
  const { stacks } = app.synth();
  for (const { stackName, environment, template } of stacks) {
    const count = Object.keys(template.Resources).length;
    console.log(`${name}: ${stackName} in ${environment.region}, ${count} resources, no findings`);
  }
}

/** Checks the templates with cfn-lint. @throws Error after it printed its findings */
function lint(): void {
  const templates = Object.keys(DEPLOYMENTS).map((name) =>
    join(ROOT, 'cdk.out', name, '*.template.json'),
  );
  execFileSync(join(pythonPrograms('cfn-lint'), 'cfn-lint'), templates, {
    stdio: 'inherit',
    cwd: ROOT,
  });
  console.log('cfn-lint: no findings');
}

// Without cdk-preflight, runs itself again under npx, which installs it.
readArguments(USAGE, {});
const preflight = loadPreflight();
if (preflight) {
  for (const [name, settings] of Object.entries(DEPLOYMENTS)) synthesise(name, settings, preflight);
  lint();
  synthesiseRegions();
} else {
  const program = [process.execPath, import.meta.filename];
  const npx = ['--yes', '--package', pinned(PREFLIGHT), '--', ...program];
  process.exitCode = spawnSync('npx', npx, { stdio: 'inherit', cwd: ROOT }).status ?? 1;
}
