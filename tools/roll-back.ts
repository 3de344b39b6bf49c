/**
 * `npm run roll-back -- <stage> [--failed <commit>] [-c key=value …]`: deploys the stage's last commit that passed the
 * smoke test and is part of main, except the failed one. deploy.yml makes the tags.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** Undefined if git fails. */
export type RunGit = (...args: readonly string[]) => string | undefined;

const git: RunGit = (...args) => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

/** Commits of the tags `<kind>-<stage>-<time>`, newest first. */
function tagged(kind: 'deployed' | 'passed', stage: string, runGit: RunGit): readonly string[] {
  // The digit excludes stages whose name only begins with this one.
  const pattern = `refs/tags/${kind}-${stage}-[0-9]*`;
  const lines = runGit('for-each-ref', pattern, '--sort=-refname', '--format=%(*objectname) %(objectname)');
  // An annotated tag has the commit in the first field, a plain one in the second.
  return (lines ?? '').split('\n').flatMap((line) => line.trim().split(' ')[0] || []);
}

/**
 * @param failed the deployed commit @default the last deployed one, or the work tree's
 * @throws Error with a sentence if no other commit has passed
 */
export function rollBackTarget(stage: string, failed: string | undefined, runGit: RunGit = git): string {
  const live = failed === undefined ? (tagged('deployed', stage, runGit)[0] ?? 'HEAD') : failed;
  const commit = runGit('rev-parse', '--verify', '--quiet', `${live}^{commit}`);
  if (commit === undefined) throw new Error(`There is no commit ${live}.`);
  const main = runGit('rev-parse', '--verify', '--quiet', 'origin/main') === undefined ? 'main' : 'origin/main';
  // A tag needs no review: a commit that was never merged must not reach the role that deploys.
  const isMerged = (one: string) => runGit('merge-base', '--is-ancestor', one, main) !== undefined;
  const target = tagged('passed', stage, runGit).find((one) => one !== commit && isMerged(one));
  if (target !== undefined) return target;
  throw new Error(
    `There is nothing to roll back to: no tag passed-${stage}-* names a commit of ${main} other than ${commit}.`,
  );
}

function run(program: string, ...args: readonly string[]): void {
  console.log(`> ${[program, ...args].join(' ')}`);
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ended with ${status}.`);
}

if (import.meta.main) {
  try {
    const options = { failed: { type: 'string' }, context: { type: 'string', short: 'c', multiple: true } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [stage, another] = positionals;
    if (stage === undefined || another !== undefined) throw new Error('Name one stage.');
    run('git', 'switch', '--detach', rollBackTarget(stage, values.failed));
    run('npm', 'ci');
    const context = [`stage=${stage}`, ...(values.context ?? [])].flatMap((pair) => ['-c', pair]);
    run('npx', 'cdk', 'deploy', '--all', '--require-approval', 'never', '--outputs-file', 'outputs.json', ...context);
  } catch (error) {
    console.error(`Error: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
