/**
 * `deployedVersion` names the code that is deployed, and `runbookUrl` the address of the runbook,
 * which alarm emails contain. Both run git. Here a function returns what git would print, or
 * undefined if there is no git.
 */
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../lambda/core/contract/constants.ts';
import { deployedVersion, runbookUrl } from '../../../lib/config/deployed-version.ts';

describe('the deployed version', () => {
  it('is what `git describe` prints', () => {
    expect(deployedVersion(() => 'v1.2.0-3-gabcdef0-dirty')).toBe('v1.2.0-3-gabcdef0-dirty');
  });

  it.each([undefined, ''])('is that of the package if git prints %j', (output) => {
    expect(deployedVersion(() => output)).toBe(VERSION);
  });
});

describe('the address of the runbook', () => {
  it.each([
    'https://github.com/acme/proxy.git',
    'https://user:token@github.com/acme/proxy',
    'git@github.com:acme/proxy.git',
    'ssh://git@github.com/acme/proxy.git',
  ])('is on GitHub, without user and token, for the origin %s', (origin) => {
    expect(runbookUrl(() => origin)).toBe(
      'https://github.com/acme/proxy/blob/HEAD/docs/runbook.md',
    );
  });

  it.each([undefined, 'https://gitlab.com/acme/proxy.git'])(
    'is a path in the repository for the origin %j',
    (origin) => {
      expect(runbookUrl(() => origin)).toBe('docs/runbook.md');
    },
  );
});
