import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, jest } from '@jest/globals';

// Seconds on an idle machine.
jest.setTimeout(120_000);

const ROOT = join(import.meta.dirname, '..', '..');

/** Node.js 20 to 22.5 cannot run TypeScript. */
const OLD_NODE = `#!/bin/sh
case "$1" in *.ts) echo 'Unknown file extension ".ts"' >&2; exit 1 ;; esac
exec '${process.execPath}' "$@"
`;

it('the app of cdk.json runs on the bundled Node.js, whatever Node.js runs the CLI [sentence 39]', () => {
  const { app } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'old-node-'));
  try {
    writeFileSync(join(folder, 'node'), OLD_NODE);
    chmodSync(join(folder, 'node'), 0o755);
    const { AWS_REGION: _, AWS_DEFAULT_REGION: __, CDK_DEFAULT_REGION: ___, ...rest } = process.env;
    const env = { ...rest, PATH: `${folder}${delimiter}${rest.PATH}`, NODE_OPTIONS: '' };
    const { stderr } = spawnSync(app, { shell: true, cwd: ROOT, env, encoding: 'utf8' });
    // The sentence comes from the TypeScript of the settings.
    expect(stderr).toContain('Error: The stage dev has no region');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
