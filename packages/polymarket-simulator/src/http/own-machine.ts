import type { IncomingMessage } from 'node:http';

const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a request comes from a program of this machine: not from a web page, and not under another name than this
 * machine's, which a page could point at it (DNS rebinding).
 */
export function isFromOwnMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return headers.origin === undefined && OWN_NAMES.has(name);
}
