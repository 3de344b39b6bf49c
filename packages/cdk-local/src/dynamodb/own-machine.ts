import type { IncomingMessage, RequestListener, Server } from 'node:http';

const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Puts a check before a server's own listeners: no request that a web page sent, and none under another name than
 * this machine's, which a page could point at it (DNS rebinding). The SDK's clients send neither.
 */
export function refuseOtherOrigins(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isOwn(request)) {
      response.writeHead(403).end();
      return;
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}

function isOwn({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return headers.origin === undefined && OWN_NAMES.has(name);
}
