import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { sourceStack } from '../../../../lambda/platform/source-positions.ts';

const folder = mkdtempSync(join(tmpdir(), 'source-positions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The stack of an error in a module that was bundled as the functions are. */
async function bundledStack(): Promise<string> {
  writeFileSync(
    join(folder, 'fails.ts'),
    'const much = 1;\n\nexport function fail(): number {\n  if (much) throw new Error("no");\n  return 1;\n}\n',
  );
  const outfile = join(folder, 'index.mjs');
  const entryPoints = [join(folder, 'fails.ts')];
  buildSync({ entryPoints, outfile, bundle: true, format: 'esm', minify: true, sourcemap: true });
  const { fail } = (await import(outfile)) as { fail: () => number };
  try {
    return String(fail());
  } catch (error) {
    // Where jest loads the modules itself, a module is named by its path.
    const { href } = pathToFileURL(outfile);
    return String((error as Error).stack)
      .replaceAll(href, outfile)
      .replaceAll(outfile, href);
  }
}

describe('the stack of an error', () => {
  it('names the places of the source', async () => {
    expect(sourceStack(await bundledStack())).toMatch(/fails\.ts:4:\d+/);
  });

  it('stays as it is where there is no map', () => {
    const stack = 'Error: no\n    at fail (file:///nowhere/index.mjs:1:20)\n    at node:internal/main:2:3';
    expect(sourceStack(stack)).toBe(stack);
  });
});
