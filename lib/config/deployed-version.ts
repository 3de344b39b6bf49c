import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../lambda/core/contract/constants.ts';

/** @returns undefined without git or outside of a repository */
type RunGit = (...args: readonly string[]) => string | undefined;

const runGit: RunGit = (...args) => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** `git describe` with `-dirty` for uncommitted changes; without git, the package's version. */
export function deployedVersion(git: RunGit = runGit): string {
  return git('describe', '--tags', '--match', 'v*', '--always', '--dirty') || VERSION;
}

/** The repository's address if git's origin is on GitHub, without user names or tokens. */
export function repositoryUrl(git: RunGit = runGit): string | undefined {
  const origin = git('remote', 'get-url', 'origin') ?? '';
  const [, owner, repository] =
    /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      origin,
    ) ?? [];
  return repository === undefined ? undefined : `https://github.com/${owner}/${repository}`;
}

/** A web address for alarm emails, or a path in the repository. */
export function runbookUrl(git: RunGit = runGit): string {
  const repository = repositoryUrl(git);
  return repository === undefined ? 'docs/runbook.md' : `${repository}/blob/HEAD/docs/runbook.md`;
}
