/**
 * How the page is served, for whoever serves it: which paths are files of the folder that `buildPage` makes, and what a
 * browser is told with them. One source for the distribution and for `npm start`.
 */

export interface SitePage {
  /** In the folder. */
  readonly file: string;
  readonly contentSecurityPolicy: string;
}

/** No script but the page's own, nothing from elsewhere, no frame around it. */
function policy(styles: string, images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a browser is told with every file that is no page of its own, too. */
export const CONTENT_SECURITY_POLICY = policy("'self'", "'self'");

// Swagger UI writes style attributes, and has its icons in its style sheet.
const REFERENCE: SitePage = {
  file: '/docs/index.html',
  contentSecurityPolicy: policy("'self' 'unsafe-inline'", "'self' data:"),
};

/** Paths that are no file's name, with what they show. */
export const PAGES: Readonly<Record<string, SitePage>> = {
  '/': { file: '/index.html', contentSecurityPolicy: CONTENT_SECURITY_POLICY },
  '/docs': REFERENCE,
  '/docs/': REFERENCE,
};

/** Everything else that belongs to the page. */
export const ASSETS = '/assets/*';
