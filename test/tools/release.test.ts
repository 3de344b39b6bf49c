import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeRelease, examine, type Sources } from '../../tools/release.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOTES = 'First release.\n\n- A list\n- A search';
const DOCUMENT = { openapi: '3.1.0', info: { version: '1.2.3' } };
const PACKAGE = JSON.stringify({ version: '1.2.3', repository: 'https://github.com/Acme/Proxy' });
const FILES: Readonly<Record<string, string>> = {
  'package.json': PACKAGE,
  'packages/client/package.json': PACKAGE,
  'packages/market-page/package.json': PACKAGE,
  'package-lock.json': JSON.stringify({
    packages: Object.fromEntries(['', 'packages/client', 'packages/market-page'].map((n) => [n, { version: '1.2.3' }])),
  }),
  'CITATION.cff': 'title: Proxy\nversion: 1.2.3\n',
  'docs/openapi.json': `${JSON.stringify(DOCUMENT, null, 2)}\n`,
  'CHANGELOG.md': `# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n${NOTES}\n\n## 1.2.2 - 2026-11-01\n\nOld.\n`,
};

function sources(changed: Readonly<Record<string, string>> = {}, gitStatus = ''): Sources {
  const files = { ...FILES, ...changed };
  return { read: (path) => files[path] ?? '', gitStatus, document: DOCUMENT };
}

describe('a release', () => {
  it('is what its files say', () => {
    expect(examine('1.2.3', sources())).toEqual({ problems: [], repository: 'Acme/Proxy', notes: NOTES });
    expect(describeRelease('1.2.3', examine('1.2.3', sources())).join('\n')).toBe(`\
npm registry     market-data-proxy-client@1.2.3, with provenance
image            ghcr.io/acme/proxy:1.2.3
GitHub release   v1.2.3 of Acme/Proxy
  docs/openapi.json
  market-data-proxy-client-1.2.3.tgz
  notes: 4 lines of CHANGELOG.md, then the pull requests by label`);
  });

  it.each([
    [
      'packages/client/package.json',
      '{"version":"1.2.2"}',
      'packages/client/package.json has version 1.2.2, not 1.2.3.',
    ],
    ['package-lock.json', '{"packages":{}}', 'package-lock.json, "packages/client", has version undefined, not 1.2.3.'],
    ['CITATION.cff', 'cff-version: 1.2.3\nversion: 1.2.0\n', 'CITATION.cff has version 1.2.0, not 1.2.3.'],
    ['docs/openapi.json', JSON.stringify(DOCUMENT), 'docs/openapi.json is not current: run npm run openapi.'],
    [
      'CHANGELOG.md',
      '## Unreleased\n\n- A\n\n## 1.2.3 - 2026-11-24\n\n- B',
      'CHANGELOG.md has text under "Unreleased"',
    ],
    ['CHANGELOG.md', '## 1.2.2 - 2026-11-01\n\n- B', 'the newest section must be "## 1.2.3 - YYYY-MM-DD"'],
    ['CHANGELOG.md', '## 1.2.3 - 2026-13-01\n\n- B', 'not "## 1.2.3 - 2026-13-01".'],
    ['CHANGELOG.md', '## 1.2.3 - 2026-11-24\n', 'CHANGELOG.md says nothing about 1.2.3.'],
  ])('has a problem with %s of %j', (path, text, problem) => {
    expect(examine('1.2.3', sources({ [path]: text })).problems).toContainEqual(expect.stringContaining(problem));
  });

  it('has a problem with a work tree that is not clean', () => {
    expect(examine('1.2.3', sources({}, ' M README.md')).problems).toEqual([
      'The work tree is not clean:\n M README.md',
    ]);
  });

  it.each([
    ['""', undefined],
    ['"https://gitlab.com/acme/proxy"', undefined],
    ['{"type":"git","url":"git+https://github.com/acme/proxy.git"}', 'acme/proxy'],
  ])('belongs to the repository %s', (repository, expected) => {
    const manifest = `{"version":"1.2.3","repository":${repository}}`;
    expect(examine('1.2.3', sources({ 'package.json': manifest })).repository).toBe(expected);
  });

  it('finds one version in all files of this project', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    const document = JSON.parse(read('docs/openapi.json'));

    const { problems } = examine(version, { read, gitStatus: '', document });
    expect(problems.filter((problem) => !problem.includes('text under "Unreleased"'))).toEqual([]);
  });
});

describe('the issue of a scheduled check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-issue-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, 'calls');
  const report = join(folder, 'report.txt');
  writeFileSync(report, 'WORSE  a fact: NO');

  /** Runs the script with a `gh` that notes its calls, while this issue is open. @returns the calls after the first */
  function keepIssue(status: number, open: string): string {
    const gh = `#!/bin/sh\necho "$@" >>${calls}\n[ "$1 $2" != "issue list" ] || echo "${open}"\n`;
    writeFileSync(join(folder, 'gh'), gh);
    chmodSync(join(folder, 'gh'), 0o755);
    rmSync(calls, { force: true });
    const script = join(ROOT, '.github/rolling-issue.sh');
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    execFileSync('bash', [script, 'doctor', 'A title', String(status), report], { env });
    return readFileSync(calls, 'utf8').split('\n').slice(1).join('\n').trim();
  }

  it.each([
    ['is opened at the first failure', 1, '', /^label create doctor .*\nissue create --title A title --label doctor/],
    ['is updated at the next', 2, '7', /^issue edit 7 --body-file \S+$/],
    ['is closed when the check passes', 0, '7', /^issue close 7 --comment The check passes again\.$/],
    ['is not there while the check passes', 0, '', /^$/],
  ])('%s', (_, status, open, expected) => {
    expect(keepIssue(status, open)).toMatch(expected);
  });
});

describe('the workflows', () => {
  const names = ['ci', 'deploy', 'nightly', 'release', 'upstream'];
  const text = (name: string) => readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8');

  it.each(names)('%s uses actions by commit, and no npm script that does not exist', (name) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const used = [...text(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    const run = [...text(name).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script);

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
    expect(run.filter((script) => !((script ?? '') in scripts))).toEqual([]);
  });
});
