/** Builds the files of the market page and of `/docs`, which the service serves. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildSync, type OutputFile } from 'esbuild';
import type { SiteFile, SiteFiles } from '../../lambda/core/contract/site-files.ts';
import type { ApiDocument } from './src/reference/api-document.ts';
import { referenceHtml } from './src/reference/reference-html.ts';

const SOURCE = join(import.meta.dirname, 'src');
const API_DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');

/** The `Content-Type` of each kind of file. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
};

/** The page runs scripts of its own origin only, reads no other origin, and is in no frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Builds the market page and `/docs`: bundles the scripts and styles, and writes the names of the
 * bundles into the HTML.
 *
 * @param repository the address of the source code, to which the page links
 */
export function buildPageFiles(repository = ''): SiteFiles {
  const { outputFiles } = buildSync({
    entryPoints: [
      join(SOURCE, 'page.tsx'),
      join(SOURCE, 'reference/reference.ts'),
      join(SOURCE, 'icon.png'),
      join(SOURCE, 'social.png'),
    ],
    outdir: '/assets',
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file', '.png': 'copy' },
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Maps the client package to its sources, which need no build.
    tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    define: { SOURCE_URL: JSON.stringify(repository) },
    legalComments: 'none',
    logLevel: 'warning',
  });
  const paths = outputFiles.map(({ path }) => path);
  const reference = referenceHtml(
    JSON.parse(readFileSync(API_DOCUMENT, 'utf8')) as ApiDocument,
    repository,
  );
  const html = (name: string): SiteFile => ({
    type: 'text/html; charset=utf-8',
    body: readFileSync(join(SOURCE, name), 'utf8')
      .replace(/\/assets\/[\w.]+/g, (asset) => hashedPath(paths, asset))
      .replace('<!-- reference -->', () => reference),
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
  });
  return {
    '/': html('page.html'),
    '/docs': html('reference/reference.html'),
    ...Object.fromEntries(outputFiles.map((file) => [file.path, siteFile(file)])),
  };
}

/** A bundle as the service serves it: pictures as base64, all else as text. */
function siteFile({ path, text, contents }: OutputFile): SiteFile {
  const type = TYPES[extname(path)] ?? '';
  if (extname(path) !== '.png') return { type, body: text };
  return { type, body: Buffer.from(contents).toString('base64'), base64: true };
}

/** The path of a bundle: `/assets/page-3F9A1C20.js` for `/assets/page.js`. @throws Error */
function hashedPath(paths: readonly string[], asset: string): string {
  const [name = '', extension = ''] = asset.split('.');
  const path = paths.find((one) => one.startsWith(`${name}-`) && one.endsWith(`.${extension}`));
  if (path === undefined) throw new Error(`The page has no asset ${asset}`);
  return path;
}
