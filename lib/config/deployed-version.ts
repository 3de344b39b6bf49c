import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../lambda/core/contract/constants.ts';

/** Runs git in the project; returns its output, or undefined without git or outside of a repository. */
type RunGit = (...args: readonly string[]) => string | undefined;

const runGit: RunGit = (...args) => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** The version of the deployed code: `git describe`, with `-dirty` for uncommitted changes; without git, that of the package. */
export function deployedVersion(git: RunGit = runGit): string {
  return git('describe', '--tags', '--match', 'v*', '--always', '--dirty') || VERSION;
}

/**
 * The address of the repository if git's origin is on GitHub; otherwise undefined. User names and tokens that a remote's
 * address may hold are left out.
 */
export function repositoryUrl(git: RunGit = runGit): string | undefined {
  const origin = git('remote', 'get-url', 'origin') ?? '';
  const [, owner, repository] =
    /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(origin) ??
    [];
  return repository === undefined ? undefined : `https://github.com/${owner}/${repository}`;
}

/** The address of the runbook, which alarm emails link to: a page that opens in a browser, or a path of the repository. */
export function runbookUrl(git: RunGit = runGit): string {
  const repository = repositoryUrl(git);
  return repository === undefined ? 'docs/runbook.md' : `${repository}/blob/HEAD/docs/runbook.md`;
}
