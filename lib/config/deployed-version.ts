/** Reads from git which version is deployed, and where its repository is. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../lambda/core/contract/constants.ts';

/**
 * Runs git in the project's folder.
 *
 * @returns its output; undefined without git or outside of a repository
 */
type RunGit = (...args: readonly string[]) => string | undefined;

const runGit: RunGit = (...args) => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** An address of GitHub as git knows it, by HTTPS or SSH, with the owner and the repository. */
const GITHUB_ORIGIN =
  /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/;

/**
 * The version of this working tree: that of `git describe`, with `-dirty` for uncommitted changes.
 * Without git it is the package's version.
 */
export function deployedVersion(git: RunGit = runGit): string {
  return git('describe', '--tags', '--match', 'v*', '--always', '--dirty') || VERSION;
}

/** The repository's address if git's origin is on GitHub, without user names or tokens. */
export function repositoryUrl(git: RunGit = runGit): string | undefined {
  const origin = git('remote', 'get-url', 'origin') ?? '';
  const [, owner, repository] = GITHUB_ORIGIN.exec(origin) ?? [];
  return repository === undefined ? undefined : `https://github.com/${owner}/${repository}`;
}

/** Where alarm emails say that the runbook is: a web address, or a path in the repository. */
export function runbookUrl(git: RunGit = runGit): string {
  const repository = repositoryUrl(git);
  return repository === undefined ? 'docs/runbook.md' : `${repository}/blob/HEAD/docs/runbook.md`;
}
