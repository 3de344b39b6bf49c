import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { buildSync } from 'esbuild';

/** A file of the page. All files are text. */
export interface PageFile {
  /** Value of `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** Value of `Content-Security-Policy`; HTML only. */
  readonly contentSecurityPolicy?: string;
}

/** The files of the page by path. The names below `/assets/` contain the hash of the file. */
export type PageFiles = Readonly<Record<string, PageFile>>;

const SOURCE = join(import.meta.dirname, 'src');
const SWAGGER_UI = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** Scripts only from this origin, nothing from other origins, no frames. */
const policy = (styles: string, images: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Bundles the page (`/`), the API reference (`/docs`) and their assets, as text, for the function get-page and for the
 * local server. Takes less than a second.
 * @param repository address of the source code, which the page links to, and which has the picture of shared links
 */
export function buildPageFiles(repository = ''): PageFiles {
  const icon = asset('icon.svg', read('icon.svg'));
  const assets = [
    icon,
    ...bundles(icon.path, repository),
    asset('docs.css', read('docs.css')),
    asset('swagger-ui-bundle.js', readFileSync(join(SWAGGER_UI, 'swagger-ui-bundle.js'), 'utf8')),
    asset('swagger-ui.css', readFileSync(join(SWAGGER_UI, 'swagger-ui.css'), 'utf8')),
  ];
  // The social preview. Its address must be absolute, and the page does not know its own: the repository has the picture.
  const picture = repository && `<meta property="og:image" content="${repository}/raw/HEAD/docs/images/social.png">`;
  const paths = new Map(assets.map(({ name, path }) => [name, path]));
  const html = (name: string, contentSecurityPolicy: string): PageFile => ({
    type: typeOf(name),
    body: read(name)
      .replace('<!-- picture -->', picture)
      .replace(/\/assets\/([\w.-]+)/g, (_, file: string) => pathOf(paths, file)),
    contentSecurityPolicy,
  });
  return {
    '/': html('index.html', policy("'self'", "'self'")),
    // Swagger UI writes style attributes, and its style sheet contains its icons.
    '/docs': html('docs.html', policy("'self' 'unsafe-inline'", "'self' data:")),
    ...Object.fromEntries(assets.map(({ name, path, body }) => [path, { type: typeOf(name), body }])),
  };
}

interface Asset {
  readonly name: string;
  readonly path: string;
  readonly body: string;
}

function asset(name: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8);
  const extension = extname(name);
  return { name, path: `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`, body };
}

/** The scripts and the style sheet of the page. */
function bundles(iconPath: string, repository: string): Asset[] {
  const { outputFiles } = buildSync({
    entryPoints: {
      page: join(SOURCE, 'main.tsx'),
      'page-style': join(SOURCE, 'page.css'),
      docs: join(SOURCE, 'docs.ts'),
    },
    outdir: '/',
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The sources of the client package, so that it need not be built before.
    conditions: ['source'],
    define: { ICON_PATH: JSON.stringify(iconPath), SOURCE_URL: JSON.stringify(repository) },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, text }) => asset(path.slice(1), text));
}

function read(name: string): string {
  return readFileSync(join(SOURCE, name), 'utf8');
}

function typeOf(name: string): string {
  return TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
}

/** @throws Error when HTML refers to a file that the page does not have */
function pathOf(paths: ReadonlyMap<string, string>, name: string): string {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`The page has no asset ${name}`);
  return path;
}
