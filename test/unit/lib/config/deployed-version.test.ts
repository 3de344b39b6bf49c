import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../../lambda/contract/version.ts';
import {
  deployedVersion,
  type RunGit,
  runbookUrlOfOrigin,
  runGit,
} from '../../../../lib/config/deployed-version.ts';

const git =
  (output?: string): RunGit =>
  () =>
    output;

describe('the version of a deployment', () => {
  it('is what git describes', () => {
    expect(deployedVersion(git('v0.1.0-3-gabc1234-dirty'))).toBe('v0.1.0-3-gabc1234-dirty');
  });

  it('is that of the package without git', () => {
    expect(deployedVersion(git())).toBe(VERSION);
    expect(deployedVersion(git(''))).toBe(VERSION);
    expect(runGit('no-such-command')).toBeUndefined();
  });
});

describe('the address of the runbook', () => {
  const RUNBOOK = 'https://github.com/acme/market-data.proxy/blob/HEAD/docs/runbook.md';

  it.each([
    'https://github.com/acme/market-data.proxy',
    'https://github.com/acme/market-data.proxy.git',
    'git@github.com:acme/market-data.proxy.git',
    'ssh://git@github.com/acme/market-data.proxy.git',
  ])('follows from the origin %s', (origin) => {
    expect(runbookUrlOfOrigin(git(origin))).toBe(RUNBOOK);
  });

  it('holds no token of the remote', () => {
    expect(
      runbookUrlOfOrigin(git(`https://${['user', 't0ken'].join(':')}@github.com/acme/market-data.proxy.git`)),
    ).toBe(RUNBOOK);
  });

  it.each([undefined, '/srv/git/proxy.git', 'https://git.example.com/acme/proxy.git'])(
    'is unknown with the origin %s',
    (origin) => {
      expect(runbookUrlOfOrigin(git(origin))).toBeUndefined();
    },
  );
});
