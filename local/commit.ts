import { spawnSync } from 'node:child_process';
import { VERSION } from '../lambda/core/contract/constants.ts';

export function describeCommit(): string {
  const args = ['describe', '--tags', '--match', 'v*', '--always', '--dirty'];
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : VERSION;
}
