import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../lambda/contract/version.ts';

/** Runs git in the project. @returns what it prints; undefined without git, or outside of a repository */
export type RunGit = (...args: readonly string[]) => string | undefined;

export const runGit: RunGit = (...args) => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** What is about to be deployed: `git describe`, with `-dirty` for uncommitted changes; without git the package's version. */
export function deployedVersion(git: RunGit = runGit): string {
  return git('describe', '--tags', '--match', 'v*', '--always', '--dirty') || VERSION;
}

/**
 * Where a browser finds the runbook of this repository, when git's origin is on GitHub. User names and tokens that a
 * remote's address may hold are left out.
 */
export function runbookUrlOfOrigin(git: RunGit = runGit): string | undefined {
  const origin = git('remote', 'get-url', 'origin') ?? '';
  const [, owner, repository] =
    /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      origin,
    ) ?? [];
  return repository === undefined
    ? undefined
    : `https://github.com/${owner}/${repository}/blob/HEAD/docs/runbook.md`;
}
