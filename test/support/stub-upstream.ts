import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../lambda/platform/clock.ts';
import type { Telemetry } from '../../lambda/platform/telemetry.ts';
import { liveUpstreams } from '../../lambda/polymarket/live-upstreams.ts';

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface StubUpstream {
  readonly url: string;
  /** Paths and queries of the requests so far. */
  readonly requests: string[];
  /** Resolves once so many requests have come in. */
  received(count: number): Promise<void>;
  /** What the following requests get, in turn; the last one is repeated. */
  reply(...replies: Reply[]): void;
  close(): Promise<void>;
}

/** A real HTTP server whose responses a test writes. */
export async function startStubUpstream(): Promise<StubUpstream> {
  const requests: string[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let replies: Reply[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    waiting = waiting.filter(({ count }) => requests.length < count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    reply: (...next) => {
      replies = next;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function send(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  return (response) => response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

export const reset: Reply = (response) => response.socket?.resetAndDestroy();
export const hang: Reply = () => undefined;
export const hangInBody: Reply = (response) => response.writeHead(200).write('{"bids":[');
/** A body that goes on for ever, as fast as it is read. */
export const endless: Reply = (response) => {
  const piece = Buffer.alloc(65_536, '0');
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200).on('drain', write);
  response.write('{"bids":["');
  write();
};
export const breakInBody: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"bids":[');
  setImmediate(() => response.socket?.destroy());
};

/** How an upstream can be bad, whatever the route. None of it is ever shown to a caller. */
export const BAD_REPLIES: [name: string, reply: Reply][] = [
  ['a reset', reset],
  ['a reset in the body', breakInBody],
  ...[401, 403, 408, 418, 422, 425, 429, 451, 500, 502, 503, 504, 522].map((status): [string, Reply] => [
    `status ${status}`,
    send({ type: 'internal error', error: 'cannot get the information' }, status),
  ]),
  ['status 400 about something else', send({ error: 'invalid filters' }, 400)],
  ['an HTML 404', send('<html>404 not found</html>', 404)],
  ['an HTML 403', send('<html>Attention Required!</html>', 403)],
  ['a 429 that asks to wait', send('<html>slow down</html>', 429, { 'retry-after': '3600' })],
  ['a redirect', send('', 302, { location: 'https://example.org/' })],
  ['HTML with status 200', send('<!doctype html><title>Just a moment...</title>')],
  ['an error with status 200', send({ error: 'Too Many Requests' })],
  ['JSON that ends halfway', send('{"bids":[{"price":"0.5","si')],
  ['an empty body', send('')],
  ['null', send('null')],
  ['a list', send([])],
  ['an empty object', send({})],
  ['a text', send('"ok"')],
];

/** Those that say that upstream's limit is reached; later, the same request goes well. */
export const LIMITED_REPLIES: ReadonlySet<string> = new Set([
  'status 429',
  'a 429 that asks to wait',
  'an error with status 200',
]);

/** Live reads of a stub with telemetry that is kept to be looked at. */
export function liveStub(baseUrl: string, clock: Clock) {
  const logged: { message: string; keys: Record<string, unknown> }[] = [];
  const counted: Record<string, number>[] = [];
  const telemetry = {
    logger: {
      warn: (message: string, keys: Record<string, unknown>) => logged.push({ message, keys }),
    },
    metrics: {
      addUpstream: (_upstream: string, values: Record<string, number>) => counted.push(values),
    },
  } as unknown as Telemetry;
  const urls = { clob: baseUrl, data: baseUrl };
  const live = liveUpstreams({ urls, fetch: globalThis.fetch, clock, random: () => 0.5, ...telemetry });
  return { ...live, logged, counted };
}
