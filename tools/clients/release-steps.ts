/** The commands of releases in the documents, run in copies of the repository. */
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CLIENT } from './client-package.ts';
import { codeBlock, ROOT, type Steps } from './steps.ts';

/**
 * Each block of code in docs/first-release.md, in a copy of the repository, prints the lines of the
 * block after it.
 */
export async function firstRelease(steps: Steps): Promise<void> {
  const cwd = copyOfRepository(steps.folder, 'first-release');
  const page = readFileSync(join(ROOT, 'docs/first-release.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)];
  if (blocks.length !== 3)
    throw new Error(`docs/first-release.md has ${blocks.length} blocks that can be rehearsed.`);
  for (const [n, [, code = '', lines = '']] of blocks.entries()) {
    // "…" stands for anything, and so does the end of a line.
    const texts = lines.trim().split(/…|\n/).map(escapedForRegExp);
    const printed = new RegExp(texts.join('[^]*'));
    const name = `docs/first-release.md, step ${n + 1}`;
    await steps.run(name, ['bash', '-ec', code], { cwd, printed });
  }
}

/**
 * The code of "Releases" in CONTRIBUTING.md, for 1.0.1: each file has the new version, and the lock
 * still has the packages of the workspaces and no copies of them from the registry.
 */
export async function nextRelease(steps: Steps): Promise<void> {
  const cwd = copyOfRepository(steps.folder, 'next-release');
  const code = codeBlock('CONTRIBUTING.md', 'Releases', 'sh');
  const commands = code.replace(/^ *VERSION=.*$/m, 'VERSION=1.0.1');
  await steps.run('CONTRIBUTING.md, releases, step 1', ['bash', '-ec', commands], { cwd });
  const check = `
    test "$(jq -r .version package.json)" = 1.0.1
    test "$(jq '[.packages | keys[] | select(endswith("node_modules/${CLIENT}"))] | length' package-lock.json)" = 1
    npm test -- --testPathPatterns supply-chain openapi/ --testNamePattern 'has one version|document'`;
  await steps.run('CONTRIBUTING.md, releases, versions', ['bash', '-ec', check], { cwd });
}

/** Copies the working tree without git and build results. The copy uses our packages. */
function copyOfRepository(folder: string, name: string): string {
  const copy = join(folder, name);
  const leftOut = ['.git', '.venv', 'node_modules', 'cdk.out', 'dist'];
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !leftOut.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function escapedForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
