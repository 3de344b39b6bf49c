import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../lambda/core/contract/constants.ts';
import { deployedVersion, runbookUrl } from '../../../lib/config/deployed-version.ts';

describe('the deployed version', () => {
  it('is what git describes', () => {
    expect(deployedVersion(() => 'v1.2.0-3-gabcdef0-dirty')).toBe('v1.2.0-3-gabcdef0-dirty');
  });

  it.each([undefined, ''])('is that of the package without git: %j', (output) => {
    expect(deployedVersion(() => output)).toBe(VERSION);
  });
});

describe('the address of the runbook', () => {
  it.each([
    'https://github.com/acme/proxy.git',
    'https://user:token@github.com/acme/proxy',
    'git@github.com:acme/proxy.git',
    'ssh://git@github.com/acme/proxy.git',
  ])('is on GitHub where git’s origin is, without secrets: %s', (origin) => {
    expect(runbookUrl(() => origin)).toBe(
      'https://github.com/acme/proxy/blob/HEAD/docs/runbook.md',
    );
  });

  it.each([undefined, 'https://gitlab.com/acme/proxy.git'])(
    'is a path of the repository elsewhere: %j',
    (origin) => {
      expect(runbookUrl(() => origin)).toBe('docs/runbook.md');
    },
  );
});
