/**
 * The search engines side by side on generated markets: `npm run bench:search -- [markets ...]`. For each number of
 * markets and each engine, in a process of its own: the time to build, to follow a newer snapshot in which 1 % of the
 * markets changed, the memory held, and one query, by kind. Times are CPU time of the thread, so that a busy machine
 * does not spoil them. Bundle sizes are minified and gzipped.
 */
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const ENGINES = ['own', 'minisearch', 'minisearch-bare', 'scan'];
const sizes = process.argv.slice(2).map(Number);

for (const markets of sizes.length > 0 ? sizes : [2_000, 10_000, 50_000]) {
  for (const engine of ENGINES) {
    const worker = new URL('./measure.ts', import.meta.url).pathname;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', worker, engine, String(markets)],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    process.stdout.write(stdout);
  }
}

function bundled(contents: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return `${(code.length / 1_000).toFixed(1)} KB, ${(gzipSync(code).length / 1_000).toFixed(1)} KB gzipped`;
}

console.log(`\nBundle, own: ${bundled("export * from './lambda/search/search-index.ts'")}`);
console.log(`Bundle, minisearch alone: ${bundled("export { default } from 'minisearch'")}`);
