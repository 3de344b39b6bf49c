import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunGit, rollBackTarget } from '../../tools/roll-back.ts';

let folder: string;
let time: number;

const run = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const git: RunGit = (...args) => {
  try {
    return run(...args);
  } catch {
    return undefined;
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roll-back-'));
  time = 0;
  run('init', '--quiet', '--initial-branch', 'main');
});
afterEach(() => rmSync(folder, { recursive: true }));

function commit(name: string): string {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  run(...author, 'commit', '--quiet', '--allow-empty', '--message', name);
  return run('rev-parse', 'HEAD');
}

/** What deploy.yml tags. */
function tag(kind: 'deployed' | 'passed', sha: string, stage = 'prod'): void {
  time += 1;
  run('tag', `${kind}-${stage}-20261123T0000${String(time).padStart(2, '0')}Z`, sha);
}

function release(name: string, isGood: boolean): string {
  const sha = commit(name);
  tag('deployed', sha);
  if (isGood) tag('passed', sha);
  return sha;
}

describe('a roll-back', () => {
  it('goes to the last good release: A good, B bad, C bad', () => {
    const good = release('A', true);
    const bad = release('B', false);
    expect(rollBackTarget('prod', bad, git)).toBe(good);
    tag('deployed', good);
    const worse = release('C', false);
    expect(rollBackTarget('prod', worse, git)).toBe(good);
    expect(rollBackTarget('prod', undefined, git)).toBe(good);
  });

  it('never goes to the failed commit, also when it passed once', () => {
    const [first, second] = [release('A', true), release('B', true)];
    expect(rollBackTarget('prod', second, git)).toBe(first);
    // By default the failed commit is the one that was deployed last.
    expect(rollBackTarget('prod', undefined, git)).toBe(first);
  });

  it('ignores the tags of a stage whose name begins with this one', () => {
    const sha = commit('A');
    tag('passed', sha, 'prod-eu');
    const bad = release('B', false);
    expect(() => rollBackTarget('prod', bad, git)).toThrow(/no tag passed-prod-\*/);
    expect(rollBackTarget('prod-eu', bad, git)).toBe(sha);
  });

  it('never goes to a commit that was not merged', () => {
    const good = release('A', true);
    const bad = release('B', false);
    run('switch', '--quiet', '--create', 'unreviewed', good);
    tag('passed', commit('C'));
    expect(rollBackTarget('prod', bad, git)).toBe(good);
  });

  it('ends with one sentence if no other commit has passed', () => {
    const only = release('A', true);
    expect(() => rollBackTarget('prod', undefined, git)).toThrow(
      `There is nothing to roll back to: no tag passed-prod-* names a commit of main other than ${only}.`,
    );
    expect(() => rollBackTarget('prod', 'v9', git)).toThrow('There is no commit v9.');
  });
});

describe('the workflow', () => {
  const text = readFileSync(new URL('../../.github/workflows/deploy.yml', import.meta.url), 'utf8');
  const steps = [...text.matchAll(/- name: (.+)/g)].map(([, name = '']) => name);

  it('tags before and after the smoke test, and rolls back once, with the context of the environment', () => {
    const order = ['Deploy', 'Tag what is deployed', 'Smoke test', 'Tag what has passed', 'Roll back'];
    expect(steps.filter((name) => order.includes(name))).toEqual(order);
    expect(text.match(/npm run roll-back -- "\$STAGE" .*\$CDK_CONTEXT/g)).toHaveLength(2);
    expect(text).toContain("steps.smoke.outcome == 'failure' && !inputs.roll-back");
  });
});
