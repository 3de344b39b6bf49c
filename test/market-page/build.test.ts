import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { SiteFile } from '../../lambda/core/contract/site-files.ts';
import { buildPageFiles } from '../../packages/market-page/build.ts';

// `buildPageFiles` bundles the page and `/docs` into the files that the service sends: HTML, and
// assets whose names have a hash of their content.

/** The files by path, built once for all tests. */
const files = buildPageFiles();
const file = (path: string): SiteFile => {
  const found = files[path];
  if (!found) throw new Error(`no file ${path}`);
  return found;
};
const paths = Object.keys(files);
/** The path without the hash: `/assets/page-1A2B3C4D.js` becomes `/assets/page.js`. */
const plain = (path: string) => path.replace(/-[0-9A-Z]{8}\./, '.');
const pathOf = (pattern: RegExp) => paths.find((path) => pattern.test(path)) ?? '';

describe('the files of the page', () => {
  it('are the two pages and their assets, each with its type', () => {
    const types: Record<string, string> = {};
    for (const [path, { type, base64 = false }] of Object.entries(files))
      types[plain(path)] = base64 ? `${type}, base64` : type;
    const script = 'text/javascript; charset=utf-8';
    const style = 'text/css; charset=utf-8';
    const html = 'text/html; charset=utf-8';
    expect(types).toEqual({
      '/': html,
      '/assets/icon.png': 'image/png, base64',
      '/assets/icon.svg': 'image/svg+xml; charset=utf-8',
      '/assets/page.css': style,
      '/assets/page.js': script,
      '/assets/reference.css': style,
      '/assets/reference.js': script,
      '/assets/social.png': 'image/png, base64',
      '/docs': html,
    });
    expect(paths).toHaveLength(Object.keys(types).length);
    expect(Buffer.from(file(pathOf(/social/)).body, 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  it('of the reference are small, as a browser receives them', () => {
    const reference = paths.filter((path) => /\/docs|reference|icon.*svg/.test(path));
    const bytes = reference.reduce((sum, path) => sum + gzipSync(file(path).body).length, 0);
    expect(bytes).toBeLessThan(40_000);
  });

  it('refer to existing files only, from HTML and from the script', () => {
    const sources = ['/', '/docs', pathOf(/\/page-\w+\.js$/)].map((path) => file(path).body);
    const references = sources.flatMap((text) => text.match(/\/assets\/[\w.-]+/g) ?? []);
    expect(references.length).toBeGreaterThanOrEqual(7);
    expect(paths).toEqual(expect.arrayContaining(references));
  });

  // The link is part of the script. Another content gives it another name, so no cache serves the
  // earlier one.
  it('link to the repository if it is known, in a script with another hash', () => {
    const repository = 'https://github.com/acme/proxy';
    const shared = buildPageFiles(repository);
    const [changed = '', ...others] = Object.keys(shared).filter((path) => !paths.includes(path));
    expect(plain(changed)).toBe('/assets/page.js');
    expect(others).toEqual([]);
    expect(shared[changed]?.body).toContain(`"${repository}"`);
  });

  it('have a picture of shared links', () => {
    expect(file('/').body).toContain(`<meta property="og:image" content="${pathOf(/social/)}">`);
  });

  it('allow scripts of this origin only, on both pages', () => {
    for (const path of ['/', '/docs']) {
      const policy = file(path).contentSecurityPolicy;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|data:/);
      // No inline script or style, which the policy would block.
      expect(file(path).body).not.toMatch(/<script>|<style>|style=|onload=/);
    }
  });
});
