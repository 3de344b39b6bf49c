/**
 * The market page as its build writes it and its function serves it, by path: `/`,
 * `/assets/page-3f9a1c20.js`.
 */
export type SiteFiles = Readonly<Record<string, SiteFile>>;

/** One file of the page. */
export interface SiteFile {
  /** The `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** Whether `body` is base64: a picture. */
  readonly base64?: boolean;
  /** HTML only. */
  readonly contentSecurityPolicy?: string;
}
