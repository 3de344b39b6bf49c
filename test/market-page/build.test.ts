import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { buildPageFiles, type PageFile } from '../../packages/market-page/build.ts';

const files = buildPageFiles();
const file = (path: string): PageFile => {
  const found = files[path];
  if (!found) throw new Error(`no file ${path}`);
  return found;
};
const paths = Object.keys(files);
const pathOf = (pattern: RegExp) => paths.find((path) => pattern.test(path)) ?? '';

describe('the files of the page', () => {
  it('are the two pages and assets whose names change with their content', () => {
    const names = paths.map((path) => path.replace(/-[0-9A-Z]{8}\./, '-hash.')).sort();
    const assets = ['icon-hash.png', 'icon-hash.svg', 'page-hash.css', 'page-hash.js'];
    assets.push('reference-hash.css', 'reference-hash.js', 'social-hash.png');
    expect(names).toEqual(['/', ...assets.map((name) => `/assets/${name}`), '/docs']);
    const changed = Object.keys(buildPageFiles('https://example.org')).filter((path) => !paths.includes(path));
    expect(changed).toEqual([expect.stringMatching(/^\/assets\/page-\w{8}\.js$/)]);
    // All of the reference but the live values, as a browser receives it.
    const reference = paths.filter((path) => /\/docs|reference|icon.*svg/.test(path));
    const bytes = reference.reduce((sum, path) => sum + gzipSync(file(path).body).length, 0);
    expect(bytes).toBeLessThan(40_000);
  });

  it('are text with a character set, or pictures', () => {
    for (const path of paths) {
      const { type, base64 = false } = file(path);
      expect([path, base64, type]).toEqual([
        ...[path, path.endsWith('.png'), expect.stringMatching(/utf-8$|^image\/png$/)],
      ]);
    }
    expect(
      Buffer.from(file(pathOf(/social/)).body, 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(file(pathOf(/\.svg$/)).type).toMatch(/^image\/svg\+xml;/);
    expect(file(pathOf(/page-[^/]*\.js$/)).type).toMatch(/^text\/javascript;/);
    expect(file(pathOf(/\.css$/)).type).toMatch(/^text\/css;/);
  });

  it('refer to existing files only, from HTML and from the script', () => {
    const sources = ['/', '/docs', pathOf(/\/page-\w+\.js$/)].map((path) => file(path).body);
    const references = sources.flatMap((text) => text.match(/\/assets\/[\w.-]+/g) ?? []);
    expect(references.length).toBeGreaterThanOrEqual(7);
    expect(paths).toEqual(expect.arrayContaining(references));
  });

  it('have a picture of shared links, and name the source code if the repository is known', () => {
    const repository = 'https://github.com/acme/proxy';
    const shared = buildPageFiles(repository);
    const script = Object.keys(shared).find((path) => /\/page-\w+\.js$/.test(path)) ?? '';
    expect(shared[script]?.body).toContain(`"${repository}"`);
    expect(file('/').body).toContain(`<meta property="og:image" content="${pathOf(/social/)}">`);
  });

  it('allow scripts of this origin only, on both pages', () => {
    for (const path of ['/', '/docs']) {
      expect(file(path).type).toMatch(/^text\/html;/);
      expect(file(path).contentSecurityPolicy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(file(path).contentSecurityPolicy).not.toMatch(/unsafe|data:/);
      expect(file(path).contentSecurityPolicy).toMatch(/frame-ancestors 'none'/);
      expect(file(path).body).not.toMatch(/<script>|<style>|style=|onload=/);
    }
  });
});
