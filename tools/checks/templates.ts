/**
 * `npm run check:templates`: cfn-lint and checkov over the templates that `npm run synth` has made, of every stage,
 * and over that of a deployment without an edge. What they may not complain about is in their files beside this one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STAGE_FILES } from '../../lib/config/stage-files.ts';
import { pythonTool } from './python-tool.ts';
import { runTool } from './run-tool.ts';

const WITHOUT_EDGE = join('cdk.out', 'without-edge');
const STAGE_FOLDERS = STAGE_FILES.names().map((stage) => join('cdk.out', stage));

const missing = STAGE_FOLDERS.filter((folder) => !existsSync(folder));
if (missing.length > 0) {
  console.error(`There is no ${missing.join(', ')}: run \`npm run synth\` first.`);
  process.exit(2);
}

execFileSync('npx', ['cdk', 'synth', '--quiet', '--strict', '-c', 'edge=false', '--output', WITHOUT_EDGE], {
  stdio: 'inherit',
});

const templates = [...STAGE_FOLDERS, WITHOUT_EDGE].flatMap(templatesIn);
console.log(`Checking ${templates.join(', ')}`);
runTool('cfn-lint', await pythonTool('cfn-lint'), [
  '--config-file',
  'tools/checks/cfn-lint.yaml',
  '--template',
  ...templates,
]);
runTool('checkov', await pythonTool('checkov'), [
  '--config-file',
  'tools/checks/checkov.yaml',
  ...templates.flatMap((template) => ['--file', template]),
]);

function templatesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => join(folder, file));
}
