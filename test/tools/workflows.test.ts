import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const textOf = (name: string) => readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8');

/** The shell script of a step. @throws if the workflow has no such step */
function scriptOf(workflow: string, step: string): string {
  const [, rest = ''] = textOf(workflow).split(`- name: ${step}\n`);
  const [, indented = ''] = /^ {8}run: \|\n((?: {10}.*\n|\n)+)/m.exec(rest) ?? [];
  expect(indented).not.toBe('');
  return indented.replace(/^ {10}/gm, '');
}

describe('a step in a repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (name: string) => {
    git('commit', '--quiet', '--allow-empty', '--message', name);
    return git('rev-parse', 'HEAD');
  };
  /** Commits of main: the older one, which has passed in `prod`, and the newest. */
  let [passed, newest] = ['', ''];
  /** A commit of another branch. */
  let unmerged = '';

  beforeAll(() => {
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n- A list\n',
    );
    passed = commit('A');
    git('tag', 'passed-prod-20261122T000000Z');
    git('tag', 'passed-prod-eu-20261123T000000Z');
    newest = commit('B');
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('switch', '--quiet', '--create', 'unreviewed', passed);
    unmerged = commit('C');
    // Whoever can push a tag can make the newest one.
    git('tag', 'passed-prod-99990101T000000Z');
  });

  /** As GitHub runs it. @returns what it prints and sets as outputs, and its exit status */
  function run(workflow: string, step: string, variables: Readonly<Record<string, string>>) {
    const output = join(folder, 'output');
    writeFileSync(output, '');
    const env = { PATH: process.env.PATH, GITHUB_OUTPUT: output, ...variables };
    const { status, stdout } = spawnSync('bash', ['-e', '-c', scriptOf(workflow, step)], {
      cwd: folder,
      env,
    });
    return { status, printed: `${stdout}`.trim(), output: readFileSync(output, 'utf8') };
  }

  it.each([
    ['a branch', () => 'main', () => `commit=${newest}\npassed=\n`],
    [
      'a short id of a commit that passed',
      () => passed.slice(0, 10),
      () => `commit=${passed}\npassed=passed-prod-20261122T000000Z\n`,
    ],
  ])('chooses the commit of %s', (_what, name, output) => {
    const chosen = run('deploy', 'Choose the commit', { COMMIT: name() });
    expect(chosen).toEqual({ status: 0, printed: '', output: output() });
  });

  it.each([
    ['that was never merged', () => unmerged],
    ['with the newest tag', () => 'passed-prod-99990101T000000Z'],
    ['that does not exist', () => 'v9'],
    ['that is an option', () => '--all'],
  ])('refuses to deploy a commit %s', (_what, name) => {
    expect(run('deploy', 'Choose the commit', { COMMIT: name() })).toEqual({
      status: 1,
      printed: `::error::${name()} is not a commit of main: only merged commits are deployed.`,
      output: '',
    });
  });

  it('names the last commit of main that passed in this stage', () => {
    const name = (STAGE: string, COMMIT: string) =>
      run('deploy', 'Name the last green commit', { STAGE, COMMIT });
    const end = 'stays deployed. To go back, run this workflow with the commit';
    expect(name('prod', newest).printed).toBe(
      `::error::The smoke test failed, and ${newest} ${end} ${passed}.`,
    );
    expect(name('prod', passed).printed).toMatch('(no other commit has passed)');
    expect(name('dev', newest)).toMatchObject({
      status: 0,
      printed: expect.stringContaining('(no other commit has passed)'),
    });
  });

  it('says which variables the environment of a new fork lacks', () => {
    const check = (ROLE: string, REGION: string) =>
      run('deploy', 'Needs the settings of the environment', { STAGE: 'dev', ROLE, REGION });
    expect(check('arn:aws:iam::123456789012:role/deploy', 'eu-west-1').status).toBe(0);
    expect(check('', 'eu-west-1')).toMatchObject({
      status: 1,
      printed: expect.stringMatching(
        /^::error::The environment dev needs the variables AWS_DEPLOY_ROLE_ARN and AWS_REG/,
      ),
    });
  });

  it.each([
    ['main', 'v1.2.3', undefined],
    ['main', 'v1.2.4', '::error::v1.2.4 is not the version of package.json, which is 1.2.3.'],
    [
      'unreviewed',
      'v1.2.3',
      '::error::v1.2.3 is not a commit of main: only merged commits are published.',
    ],
  ])('publishes of %s the tag %s, or says why not', (branch, tag, error = '') => {
    git('switch', '--quiet', branch);
    const checked = run('release', 'Check the tag', { GITHUB_REF_NAME: tag });
    expect(checked).toMatchObject({ status: error === '' ? 0 : 1, printed: error });
  });
});

describe('the issue of a scheduled check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-issue-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, 'calls');
  const report = join(folder, 'report.txt');
  writeFileSync(report, 'WORSE  a fact: NO');

  /**
   * Runs the script with a `gh` of its own.
   *
   * @param status the exit status of the check
   * @param open the number of the open issue, or ''
   * @returns the calls of `gh` that change something
   */
  function keepIssue(status: number, open: string, hasIssues = true): string {
    // It answers questions and notes everything else.
    const gh = `#!/bin/sh
case "$1 $2" in
'repo view') echo ${hasIssues} ;;
'issue list') echo "${open}" ;;
*) echo "$@" >>${calls} ;;
esac
`;
    writeFileSync(join(folder, 'gh'), gh);
    chmodSync(join(folder, 'gh'), 0o755);
    writeFileSync(calls, '');
    const script = join(ROOT, '.github/rolling-issue.sh');
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    execFileSync('bash', [script, 'doctor', 'A title', String(status), report], {
      env,
      stdio: 'pipe',
    });
    return readFileSync(calls, 'utf8').trim();
  }

  it.each([
    [
      'is opened at the first failure',
      1,
      '',
      /^label create doctor .*\nissue create --title A title --label doctor/,
    ],
    ['is updated at the next', 2, '7', /^issue edit 7 --body-file \S+$/],
    [
      'is closed when the check passes',
      0,
      '7',
      /^issue close 7 --comment The check passes again\.$/,
    ],
    ['is not there while the check passes', 0, '', /^$/],
  ])('%s', (_, status, open, expected) => {
    expect(keepIssue(status, open)).toMatch(expected);
  });

  it('is left out in a fork, which has no issues', () => {
    expect(keepIssue(1, '', false)).toBe('');
  });
});

describe('the workflows', () => {
  const names = ['ci', 'deploy', 'nightly', 'release', 'upstream'];

  it.each(names)('%s uses actions by commit, and no npm script that does not exist', (name) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const used = [...textOf(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    const run = [...textOf(name).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
      ([, script]) => script,
    );

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action ?? ''))).toEqual(
      [],
    );
    expect(run.filter((script) => !((script ?? '') in scripts))).toEqual([]);
  });

  it('publish with rights only what a job without rights has built', () => {
    const [build = '', publish = ''] = textOf('release').split('\n  publish:\n');
    expect(build).not.toMatch(/: write/);
    expect(publish).not.toMatch(/checkout|npm (ci|run)|docker build /);
  });
});
