import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from './support/test-service.ts';

const PACKAGE = resolve('packages/client');
const EXAMPLES = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code]) => String(code),
);
/** With its runtime inside. */
const MOST_BYTES = 8_192;

/** An empty project with the packed package in it, as a stranger has it. */
let project: string;
let service: TestService;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'client-'));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: PACKAGE,
    encoding: 'utf8',
  });
  writeFileSync(join(project, 'package.json'), '{"name":"stranger","private":true,"type":"module"}');
  const file = join(project, packed.trim().split('\n').at(-1) ?? '');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', file], {
    cwd: project,
  });
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.service.refresh();
}, 120_000);

afterAll(async () => {
  await service?.close();
});

describe('the packed client in an empty project', () => {
  it('is small, and brings no dependencies', () => {
    const installed = join(project, 'node_modules/market-data-proxy-client');
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(gzipSync(readFileSync(join(installed, 'dist/index.js'))).length).toBeLessThan(MOST_BYTES);
  });

  it('type-checks a program that uses it, and finds its mistakes', () => {
    const check = (code: string) => {
      writeFileSync(join(project, 'check.ts'), code);
      const flags = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2024,dom',
      ];
      try {
        execFileSync(resolve('node_modules/.bin/tsc'), [...flags, 'check.ts'], {
          cwd: project,
          encoding: 'utf8',
        });
        return '';
      } catch (error) {
        return String((error as { stdout?: unknown }).stdout);
      }
    };
    const head =
      "import { createClient } from 'market-data-proxy-client';\nconst client = createClient({ baseUrl: 'http://x' });\n";
    expect(
      check(
        `${head}const n: number = (await client.markets()).data[0]!.volume;\nconsole.log(n);\nexport {};\n`,
      ),
    ).toBe('');
    expect(check(`${head}await client.priceHistory('1', { interval: '2y' });\nexport {};\n`)).toMatch(/2y/);
  });

  it.each(EXAMPLES.map((code, n) => [n + 1, code] as const))(
    'runs example %d of its README',
    async (n, code) => {
      const file = join(project, `example-${n}.mjs`);
      writeFileSync(file, `const baseUrl = ${JSON.stringify(service.service.url)};\n${code}`);
      // Not in this thread: it serves the service.
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        cwd: project,
        timeout: 20_000,
      });
      expect(stdout.trim()).not.toBe('');
    },
  );
});

it('its types are those of the API document (npm run generate -w market-data-proxy-client)', () => {
  const made = mkdtempSync(join(tmpdir(), 'types-'));
  const { scripts } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const command = String(scripts.generate).replace('src/generated/api.ts', join(made, 'api.ts'));
  execFileSync('npx', ['--no-install', ...command.split(' ')], { cwd: PACKAGE, stdio: 'ignore' });
  expect(readFileSync(join(PACKAGE, 'src/generated/api.ts'), 'utf8')).toBe(
    readFileSync(join(made, 'api.ts'), 'utf8'),
  );
});
