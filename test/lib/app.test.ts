/**
 * The CDK's program `cdk` starts our app by the command in cdk.json. The app is TypeScript, which
 * needs Node.js 24. `cdk` itself accepts older ones, so the command must not use the `node` of the
 * user.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');

/** A program that, like Node.js 20 to 22.5, cannot run TypeScript. */
const OLD_NODE = `#!/bin/sh
case "$1" in *.ts) echo 'Unknown file extension ".ts"' >&2; exit 1 ;; esac
exec '${process.execPath}' "$@"
`;

/** The environment without a region. */
function withoutRegion(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'CDK_DEFAULT_REGION'])
    delete environment[name];
  return environment;
}

it('the app of cdk.json runs on the Node.js of the project, not of the user [sentence 39]', () => {
  const { app } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'old-node-'));
  try {
    writeFileSync(join(folder, 'node'), OLD_NODE);
    chmodSync(join(folder, 'node'), 0o755);
    const PATH = `${folder}${delimiter}${process.env.PATH}`;
    const env = { ...withoutRegion(), PATH, NODE_OPTIONS: '' };
    const { stderr } = spawnSync(app, { shell: true, cwd: ROOT, env, encoding: 'utf8' });
    // The TypeScript of the settings writes this sentence, so it ran.
    expect(stderr).toContain('Error: The stage dev has no region');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
