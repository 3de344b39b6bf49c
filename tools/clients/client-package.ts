/** The client package as its users get it: built, packed, installed, and called. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { VERSION } from '../../lambda/core/contract/constants.ts';
import { ROOT, type Steps, TSC } from './steps.ts';

/** The name of the package. */
export const CLIENT = 'market-data-proxy-client';
/** What the examples of its README print, in their order. */
const PRINTED = [
  /\d+ markets, prices \d+ s old\n.+ \{ price: '.+ \d+\n\d\d+ markets\n$/s,
  /^404 .+ [\w-]+\n$/,
];
const HERE = import.meta.dirname;

/** The installed package has types, keeps its promises, and runs the examples of its README. */
export async function clientPackage(steps: Steps): Promise<void> {
  const { folder, serviceUrl } = steps;
  const node = process.execPath;
  await installClient(steps);
  const examples = writeReadmeExamples(folder);
  const commonJs = `import { createClient } from '${CLIENT}';\nexport { createClient };\n`;
  writeFileSync(join(folder, 'common.cts'), commonJs);
  const files = [...examples, 'common.cts'];
  await steps.run('client package, types', [...TSC, '--types', '', ...files]);
  cpSync(join(HERE, 'client-checks.mjs'), join(folder, 'client-checks.mjs'));
  await steps.run('client package, checks', [node, 'client-checks.mjs', serviceUrl]);
  for (const [n, printed] of PRINTED.entries()) {
    const example = ['--import', join(HERE, 'local-service.mjs'), `example-${n}.mjs`];
    await steps.run(`client package, example ${n}`, [node, ...example], { printed });
  }
}

/** Builds and packs the client, and installs the archive in the folder. */
async function installClient(steps: Steps): Promise<void> {
  const { folder } = steps;
  const source = join(ROOT, 'packages/client');
  await steps.run('build of the client package', ['npm', 'run', 'build'], { cwd: source });
  const pack = ['npm', 'pack', '--pack-destination', folder];
  await steps.run('npm pack of the client package', pack, {
    cwd: join(source, 'dist'),
    printed: / cjs\/index\.js/,
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const archive = join(folder, `${CLIENT}-${VERSION}.tgz`);
  const install = ['npm', 'install', '--no-audit', '--no-fund', archive];
  await steps.run('installation of the client package', install);
}

/**
 * Writes each example of the client's README as `example-<n>.ts` and, for Node.js, as `.mjs`.
 *
 * @returns the names of the TypeScript files
 */
function writeReadmeExamples(folder: string): string[] {
  const readme = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  if (examples.length !== PRINTED.length)
    throw new Error('The README of the client has another number of examples.');
  return examples.map((code, n) => {
    const file = `example-${n}.ts`;
    writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, `example-${n}.mjs`), transformSync(code, { loader: 'ts' }).code);
    return file;
  });
}
