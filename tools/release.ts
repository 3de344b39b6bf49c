/** `npm run release`: checks a version and makes the files for the workflow "Release". Options: see USAGE. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApiDocument } from './openapi/document.ts';

const USAGE = `Usage: npm run release -- VERSION [--dry-run]

Checks that the versions, the changelog and the API document belong to VERSION, that the work tree is clean, and that
"repository" of package.json names the repository on GitHub. Then it makes the client package and the release notes in
dist/release. Nothing is published, tagged or committed.
--dry-run   only check, and print what would be published; "repository" may be empty

Exit status: 0 the version can be published, 1 it cannot, 2 the options are wrong.`;

const ROOT = join(import.meta.dirname, '..');
const OUT = 'dist/release';
const CLIENT = 'packages/client';
const MANIFESTS = ['package.json', `${CLIENT}/package.json`, 'packages/market-page/package.json'];
const NO_REPOSITORY =
  'package.json has no "repository": set it to https://github.com/OWNER/NAME, from which the addresses of a release derive.';

export interface Sources {
  /** The content of a project file. */
  read(path: string): string;
  /** `git status --porcelain`. */
  readonly gitStatus: string;
  /** As the sources define it. */
  readonly document: object;
}

export interface Release {
  /** Sentences; any of them prevents publication. */
  readonly problems: readonly string[];
  /** `owner/name` on GitHub, if package.json names it. */
  readonly repository: string | undefined;
  /** Changelog section, without its heading. */
  readonly notes: string;
}

export function examine(version: string, sources: Sources): Release {
  const { notes, problems } = readChangelog(version, sources.read('CHANGELOG.md'));
  return {
    repository: repositoryOf(sources.read('package.json')),
    notes,
    problems: [
      ...MANIFESTS.flatMap((path) => versionProblem(path, JSON.parse(sources.read(path)).version, version)),
      ...lockProblems(version, JSON.parse(sources.read('package-lock.json')).packages),
      ...versionProblem('CITATION.cff', /^version: (.*)$/m.exec(sources.read('CITATION.cff'))?.[1], version),
      ...documentProblems(version, sources),
      ...problems,
      ...(sources.gitStatus === '' ? [] : [`The work tree is not clean:\n${sources.gitStatus}`]),
    ],
  };
}

function versionProblem(path: string, found: unknown, version: string): readonly string[] {
  return found === version ? [] : [`${path} has version ${found}, not ${version}.`];
}

function lockProblems(version: string, packages: Readonly<Record<string, { version?: string }>>): readonly string[] {
  return ['', CLIENT, 'packages/market-page'].flatMap((path) =>
    versionProblem(`package-lock.json, "${path}",`, packages[path]?.version, version),
  );
}

function documentProblems(version: string, { read, document }: Sources): readonly string[] {
  const text = read('docs/openapi.json');
  const isCurrent = text === `${JSON.stringify(document, null, 2)}\n`;
  return [
    ...versionProblem('docs/openapi.json', JSON.parse(text).info.version, version),
    ...(isCurrent ? [] : ['docs/openapi.json is not current: run npm run openapi.']),
  ];
}

/** The section `## 1.0.0 - 2026-11-22`. A section `## Unreleased` above it must be empty. */
function readChangelog(version: string, text: string): Pick<Release, 'notes' | 'problems'> {
  const [, first = '', second = ''] = text.split(/^## /m);
  const [, unreleased] = /^Unreleased\s*\n(.*)/s.exec(`${first}\n`) ?? [];
  const [heading = '', ...lines] = (unreleased === undefined ? first : second).split('\n');
  const notes = lines.join('\n').trim();
  const [, found, date = ''] = /^(\S+) - (\d{4}-\d\d-\d\d)$/.exec(heading.trim()) ?? [];
  const problems: string[] = [];
  if (unreleased?.trim()) problems.push(`CHANGELOG.md has text under "Unreleased": move it below ${version}.`);
  if (found !== version || Number.isNaN(Date.parse(date)))
    problems.push(`CHANGELOG.md: the newest section must be "## ${version} - YYYY-MM-DD", not "## ${heading}".`);
  if (notes === '') problems.push(`CHANGELOG.md says nothing about ${version}.`);
  return { notes, problems };
}

function repositoryOf(manifest: string): string | undefined {
  const { repository } = JSON.parse(manifest) as { repository?: string | { url?: string } };
  const url = typeof repository === 'string' ? repository : repository?.url;
  return /^(?:git\+)?https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url ?? '')?.[1];
}

/** Where each part of a version goes. */
export function describeRelease(version: string, { repository, notes }: Release): readonly string[] {
  const image = imageOf(version, repository ?? 'OWNER/NAME');
  return [
    `npm registry     market-data-proxy-client@${version}, with provenance`,
    `image            ${image}`,
    `GitHub release   v${version} of ${repository ?? 'OWNER/NAME'}`,
    '  docs/openapi.json',
    `  market-data-proxy-client-${version}.tgz`,
    `  notes: ${notes.split('\n').length} lines of CHANGELOG.md, then the pull requests by label`,
  ];
}

/** Image names are lower-case. */
const imageOf = (version: string, repository: string): string => `ghcr.io/${repository.toLowerCase()}:${version}`;

/** npm's provenance compares `repository` with the workflow's repository. */
function packClient(repository: string): void {
  const path = join(ROOT, CLIENT, 'package.json');
  const manifest = readFileSync(path, 'utf8');
  const address = { type: 'git', url: `git+https://github.com/${repository}.git`, directory: CLIENT };
  writeFileSync(path, `${JSON.stringify({ ...JSON.parse(manifest), repository: address }, null, 2)}\n`);
  try {
    const options = ['--ignore-scripts=false', '--workspace', CLIENT, '--pack-destination', OUT];
    execFileSync('npm', ['pack', ...options], { cwd: ROOT, stdio: 'inherit' });
  } finally {
    writeFileSync(path, manifest);
  }
}

function writeFiles(version: string, release: Release, repository: string): void {
  rmSync(join(ROOT, OUT), { recursive: true, force: true });
  mkdirSync(join(ROOT, OUT), { recursive: true });
  writeFileSync(join(ROOT, OUT, 'notes.md'), `${release.notes}\n`);
  packClient(repository);
  const outputs = {
    image: imageOf(version, repository),
    package: `market-data-proxy-client@${version}`,
    tarball: `./${OUT}/market-data-proxy-client-${version}.tgz`,
  };
  if (!existsSync(join(ROOT, outputs.tarball))) throw new Error(`npm pack did not write ${outputs.tarball}`);
  const { GITHUB_OUTPUT } = process.env;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, lines.join(''));
}

function run(version: string, isDryRun: boolean): 0 | 1 {
  const git = ['status', '--porcelain'];
  const release = examine(version, {
    read: (path) => readFileSync(join(ROOT, path), 'utf8'),
    gitStatus: execFileSync('git', git, { cwd: ROOT, encoding: 'utf8' }).trimEnd(),
    document: openApiDocument(),
  });
  const { repository } = release;
  const problems = [...release.problems, ...(repository === undefined && !isDryRun ? [NO_REPOSITORY] : [])];
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    return 1;
  }
  console.log([`The tag v${version} would publish:`, '', ...describeRelease(version, release)].join('\n'));
  if (repository === undefined) console.log(`\nThe workflow would refuse: ${NO_REPOSITORY}`);
  else if (!isDryRun) writeFiles(version, release, repository);
  return 0;
}

/** Ends the process for `--help` and wrong options. */
function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({ options: { 'dry-run': flag, help: flag }, allowPositionals: true });
    const [version = '', ...others] = positionals;
    const isVersion = /^\d+\.\d+\.\d+$/.test(version) && others.length === 0;
    if (values.help) console.log(USAGE);
    else if (isVersion) return { version, isDryRun: values['dry-run'] };
    else throw new Error('One version such as 1.0.0 is needed.');
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
  process.exit(0);
}

if (import.meta.main) {
  const { version, isDryRun } = readOptions();
  process.exitCode = run(version, isDryRun);
}
