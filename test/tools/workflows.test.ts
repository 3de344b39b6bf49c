/**
 * The workflows of GitHub Actions, in `.github/workflows`. The first tests run the shell scripts of
 * their steps in a small git repository, as GitHub would. "Deploy" gives a commit whose smoke test
 * passed in a stage a tag, such as `passed-prod-20261122T000000Z`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const textOf = (workflow: string) =>
  readFileSync(join(ROOT, `.github/workflows/${workflow}.yml`), 'utf8');

/** The shell script of a step. @throws if the workflow has no such step */
function scriptOf(workflow: string, step: string): string {
  const [, rest = ''] = textOf(workflow).split(`- name: ${step}\n`);
  const [, indented = ''] = /^ {8}run: \|\n((?: {10}.*\n|\n)+)/m.exec(rest) ?? [];
  expect(indented).not.toBe('');
  return indented.replace(/^ {10}/gm, '');
}

/** A repository with two commits on main, and one on a branch that was never merged. */
class TestRepository {
  readonly folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  /** The older commit of main, which passed in `prod` and in `prod-eu`. */
  readonly passed: string;
  readonly newest: string;
  readonly unmerged: string;

  constructor() {
    this.#git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(this.folder, 'package.json'), '{"version":"1.2.3"}');
    const changelog = '## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n- A list\n';
    writeFileSync(join(this.folder, 'CHANGELOG.md'), changelog);
    this.passed = this.#commit('A');
    this.#git('tag', 'passed-prod-20261122T000000Z');
    this.#git('tag', 'passed-prod-eu-20261123T000000Z');
    this.newest = this.#commit('B');
    this.#git('update-ref', 'refs/remotes/origin/main', 'main');
    this.#git('switch', '--quiet', '--create', 'unreviewed', this.passed);
    this.unmerged = this.#commit('C');
    // Whoever can push a tag could forge one, and make it the newest.
    this.#git('tag', 'passed-prod-99990101T000000Z');
  }

  switchTo(branch: string): void {
    this.#git('switch', '--quiet', branch);
  }

  /** Runs a step. @returns its exit status, what it prints, and the outputs that it sets */
  run(workflow: string, step: string, variables: Readonly<Record<string, string>>) {
    const output = join(this.folder, 'output');
    writeFileSync(output, '');
    const { status, stdout } = spawnSync('bash', ['-e', '-c', scriptOf(workflow, step)], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, GITHUB_OUTPUT: output, ...variables },
    });
    return { status, printed: `${stdout}`.trim(), output: readFileSync(output, 'utf8') };
  }

  #commit(message: string): string {
    this.#git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.#git('rev-parse', 'HEAD');
  }

  #git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...identity, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  }
}

const repository = new TestRepository();
const { passed, newest, unmerged } = repository;
afterAll(() => rmSync(repository.folder, { recursive: true }));

describe('the workflow "Deploy"', () => {
  it.each([
    { what: 'a branch', name: 'main', output: `commit=${newest}\npassed=\n` },
    {
      what: 'a short id of a commit that passed',
      name: passed.slice(0, 10),
      output: `commit=${passed}\npassed=passed-prod-20261122T000000Z\n`,
    },
  ])('chooses the commit of $what', ({ name, output }) => {
    const chosen = repository.run('deploy', 'Choose the commit', { COMMIT: name });
    expect(chosen).toEqual({ status: 0, printed: '', output });
  });

  it.each([
    { what: 'that was never merged', name: unmerged },
    { what: 'with a forged tag', name: 'passed-prod-99990101T000000Z' },
    { what: 'that does not exist', name: 'v9' },
    { what: 'that is an option', name: '--all' },
  ])('refuses to deploy a commit $what', ({ name }) => {
    expect(repository.run('deploy', 'Choose the commit', { COMMIT: name })).toEqual({
      status: 1,
      printed: `::error::${name} is not a commit of main: only merged commits are deployed.`,
      output: '',
    });
  });

  it('names the last commit of main that passed in this stage', () => {
    const afterFailureOf = (STAGE: string, COMMIT: string) =>
      repository.run('deploy', 'Name the last green commit', { STAGE, COMMIT });
    const end = 'stays deployed. To go back, run this workflow with the commit';
    expect(afterFailureOf('prod', newest).printed).toBe(
      `::error::The smoke test failed, and ${newest} ${end} ${passed}.`,
    );
    expect(afterFailureOf('prod', passed).printed).toMatch('(no other commit has passed)');
    expect(afterFailureOf('dev', newest)).toMatchObject({
      status: 0,
      printed: expect.stringContaining('(no other commit has passed)'),
    });
  });

  it('says which variables the environment of a new fork lacks', () => {
    const check = (ROLE: string, REGION: string) => {
      const variables = { STAGE: 'dev', ROLE, REGION };
      return repository.run('deploy', 'Needs the settings of the environment', variables);
    };
    expect(check('arn:aws:iam::123456789012:role/deploy', 'eu-west-1').status).toBe(0);
    expect(check('', 'eu-west-1')).toMatchObject({
      status: 1,
      printed: expect.stringMatching(
        /^::error::The environment dev needs the variables AWS_DEPLOY_ROLE_ARN and AWS_REG/,
      ),
    });
  });
});

it.each([
  { branch: 'main', tag: 'v1.2.3', status: 0, error: '' },
  {
    branch: 'main',
    tag: 'v1.2.4',
    status: 1,
    error: '::error::v1.2.4 is not the version of package.json, which is 1.2.3.',
  },
  {
    branch: 'unreviewed',
    tag: 'v1.2.3',
    status: 1,
    error: '::error::v1.2.3 is not a commit of main: only merged commits are published.',
  },
])('the workflow "Release" on $branch with the tag $tag ends with $status', (release) => {
  repository.switchTo(release.branch);
  const checked = repository.run('release', 'Check the tag', { GITHUB_REF_NAME: release.tag });
  expect(checked).toMatchObject({ status: release.status, printed: release.error });
});

it('the workflow "Release" publishes with rights only what a job without rights has built', () => {
  const [build = '', publish = ''] = textOf('release').split('\n  publish:\n');
  expect(build).not.toMatch(/: write/);
  expect(publish).not.toMatch(/checkout|npm (ci|run)|docker build /);
});

describe.each(['ci', 'deploy', 'nightly', 'release', 'upstream'])('the workflow %s', (workflow) => {
  const text = textOf(workflow);

  it('uses actions by commit', () => {
    const actions = Array.from(text.matchAll(/uses: (\S+)/g), ([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('runs only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const [, script] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  });
});
