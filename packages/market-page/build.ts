import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildSync } from 'esbuild';
import type { ApiDocument } from './src/reference/api-document.ts';
import { referenceHtml } from './src/reference/reference-html.ts';

/** All files are text. */
export interface PageFile {
  readonly type: string;
  readonly body: string;
  /** HTML only. */
  readonly contentSecurityPolicy?: string;
}

/** By path. Names below `/assets/` contain a hash. */
export type PageFiles = Readonly<Record<string, PageFile>>;

const SOURCE = join(import.meta.dirname, 'src');
const API_DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** Scripts only from this origin, nothing from other origins, no frames. */
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
 * Bundles the page (`/`), the API reference (`/docs`) and their assets. Takes about a second.
 * @param repository address of the source code, for a link and the picture of shared links
 */
export function buildPageFiles(repository = ''): PageFiles {
  const { outputFiles } = buildSync({
    entryPoints: [join(SOURCE, 'page.tsx'), join(SOURCE, 'reference/reference.ts')],
    outdir: '/assets',
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The client's sources, which need no build.
    conditions: ['source'],
    define: { SOURCE_URL: JSON.stringify(repository) },
    legalComments: 'none',
    logLevel: 'warning',
  });
  // The picture's address must be absolute, and the page does not know its own.
  const picture = repository && `<meta property="og:image" content="${repository}/raw/HEAD/docs/images/social.png">`;
  const paths = outputFiles.map(({ path }) => path);
  const reference = referenceHtml(JSON.parse(readFileSync(API_DOCUMENT, 'utf8')) as ApiDocument, repository);
  const html = (name: string): PageFile => ({
    type: 'text/html; charset=utf-8',
    body: readFileSync(join(SOURCE, name), 'utf8')
      .replace('<!-- picture -->', picture)
      .replace(/\/assets\/[\w.]+/g, (asset) => hashedPath(paths, asset))
      .replace('<!-- reference -->', () => reference),
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
  });
  return {
    '/': html('page.html'),
    '/docs': html('reference/reference.html'),
    ...Object.fromEntries(
      outputFiles.map(({ path, text }) => [path, { type: TYPES[extname(path)] ?? '', body: text }]),
    ),
  };
}

/** `/assets/page-3F9A1C20.js` for `/assets/page.js`. @throws Error if the page does not have the file */
function hashedPath(paths: readonly string[], asset: string): string {
  const [name = '', extension = ''] = asset.split('.');
  const path = paths.find((path) => path.startsWith(`${name}-`) && path.endsWith(`.${extension}`));
  if (path === undefined) throw new Error(`The page has no asset ${asset}`);
  return path;
}
