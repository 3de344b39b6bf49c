/** `npm run check:secrets`: looks for credentials in every file that git tracks. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runTool } from './run-tool.ts';

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(existsSync);
runTool(`secretlint (${files.length} files)`, 'npx', [
  'secretlint',
  '--secretlintrc',
  'tools/checks/secretlint.json',
  '--no-glob',
  ...files,
]);
