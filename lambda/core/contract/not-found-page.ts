/** The page that a browser gets at a wrong address, and which addresses are wrong. */
import { COMMON_HEADERS, ERROR_HEADERS } from './headers.ts';
import { ROUTES, type Route } from './route-table.ts';

/** CloudFront's viewer function contains this page, so it must stay small and in ASCII. */
export const NOT_FOUND_HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Page not found &middot; Prediction markets</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.25rem; font: 1.05rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #0f1318); color: light-dark(#14181f, #e8ebf0); }
h1 { font-size: 1.5rem; }
a { color: light-dark(#2457d6, #7ea6ff); }
</style>
<main>
<p>Prediction markets
<h1>There is no page here</h1>
<p>The link may be old or incomplete. <a href="/">Show all markets</a>, or read about <a href="/docs">the API</a>.
</main>
</html>
`;

export const NOT_FOUND_PAGE_HEADERS = {
  ...COMMON_HEADERS,
  ...ERROR_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
} as const;

/** The path of a route as a pattern: `/market/{slug}` becomes `/market/[^/]+`. */
const patternOf = ({ path }: Route) => path.replaceAll('.', '\\.').replace(/\{\w+\}/, '[^/]+');
const PATHS_OUTSIDE_API = Object.values<Route>(ROUTES)
  .filter(({ path }) => !path.startsWith('/api/'))
  .map(patternOf);

/**
 * The paths that go on to the API, even from a browser: those of the routes, and all below `/api`,
 * where errors are JSON. At any other path, a browser gets the page above.
 */
export const SERVED_PATHS = new RegExp(`^(${[...PATHS_OUTSIDE_API, '/api(/.*)?'].join('|')})/?$`);

/** Matches the `Accept` of a browser that opens an address. Programs do not name HTML. */
export const ACCEPTS_HTML = /text\/html/i;
