import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientCheck } from './client-check.ts';

const PACKAGE = 'packages/client';
const NAME = 'market-data-proxy-client';
/** From npm when they are needed: each is tens of megabytes. */
const BUN = 'bun@1.4.5';
const DENO = 'deno@2.9.6';

/**
 * The examples of the client's README under the runtimes that it names besides Node.js, in a project that has the built
 * package installed.
 *
 * @param folder where the project is made
 */
export function runtimeChecks(folder: string, baseUrl: string): readonly ClientCheck[] {
  execFileSync('npm', ['run', '--silent', 'build', '--workspace', NAME], { stdio: 'inherit' });
  const installed = join(folder, 'node_modules', NAME);
  mkdirSync(installed, { recursive: true });
  for (const part of ['package.json', 'dist'])
    cpSync(join(PACKAGE, part), join(installed, part), { recursive: true });
  const project = { name: 'stranger', private: true, type: 'module', dependencies: { [NAME]: '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => String(code));
  examples.forEach((code, n) => {
    writeFileSync(join(folder, `example-${n}.mjs`), `const baseUrl = ${JSON.stringify(baseUrl)};\n${code}`);
  });
  const imports = examples.map((_, n) => `await import('./example-${n}.mjs');`);
  const closing = `console.log('${examples.length} examples ran');`;
  writeFileSync(join(folder, 'examples.mjs'), [...imports, closing].join('\n'));
  return [
    { name: 'client in Bun', program: 'npx', args: ['--yes', BUN, 'run', 'examples.mjs'] },
    {
      name: 'client in Deno',
      program: 'npx',
      args: ['--yes', DENO, 'run', '--allow-net=127.0.0.1', '--node-modules-dir=manual', 'examples.mjs'],
    },
  ];
}
