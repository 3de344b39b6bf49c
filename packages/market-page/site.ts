/**
 * How the page is served, for whoever serves it: which paths are files of the folder that `buildPage` makes, and what a
 * browser is told with them. One source for the distribution and for `npm start`.
 */

/** Paths that are no file's name, with the file they show. */
export const PAGES: Readonly<Record<string, string>> = {
  '/': '/index.html',
  '/docs': '/docs/index.html',
};

/** Everything else that belongs to the page. */
export const ASSETS = '/assets/*';

/**
 * No script but the page's own, nothing from elsewhere. Styles may be set by script, which the policy does not see; the
 * API reference writes style attributes, hence `'unsafe-inline'` for styles alone. `data:` is for its icons.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
