import { COMMON_HEADERS, ERROR_HEADERS } from './headers.ts';
import { ROUTES, type Route } from './route-table.ts';

/**
 * The page at a wrong address, for people. CloudFront's viewer function contains it, so it must
 * stay small and in ASCII.
 */
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

/**
 * The paths that go on to the API, also from a browser: those of the routes, and all below `/api`,
 * where errors are JSON. At any other path, a browser gets the page above.
 */
export const SERVED_PATHS = new RegExp(
  `^(${Object.values<Route>(ROUTES)
    .map(({ path }) => path.replaceAll('.', '\\.').replace(/\{\w+\}/, '[^/]+'))
    .filter((path) => !path.startsWith('/api/'))
    .concat('/api(/.*)?')
    .join('|')})/?$`,
);

/** Matches the `Accept` of a browser that opens an address. Programs do not name HTML. */
export const ACCEPTS_HTML = /text\/html/i;
