import type { HttpResponse } from './client.ts';

/** The target of a link (RFC 8288), resolved as a client does. */
export function linkOf(response: HttpResponse, rel: string): URL | undefined {
  const links = (response.headers.get('link') ?? '').matchAll(/<([^>]*)>;\s*rel="([^"]*)"/g);
  const target = [...links].find(([, , name]) => name === rel)?.[1];
  return target === undefined ? undefined : new URL(target, response.url);
}
