/** How the simulated Polymarket responds to a request over HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallCounter } from './calls.ts';
import { dataError } from './data-history.ts';
import type { Faults } from './faults.ts';
import { json, type SimulatedCall, type SimulatedResponse, type UpstreamData } from './route.ts';
import { SIMULATED_ROUTES } from './routes.ts';

/** The `Content-Type` of each type of response. */
const TYPES = {
  json: 'application/json; charset=utf-8',
  html: 'text/html',
  text: 'text/plain',
} as const;
/** Upstream's edge rejects default names of HTTP libraries. */
const REFUSED_AGENT = /^$|^(node|undici|axios|got|python|go-http-client|java|okhttp|ruby)\b/i;
/** The response above a rate limit. It has no Retry-After, because upstream sends none. */
const THROTTLED: SimulatedResponse = {
  status: 429,
  type: 'html',
  body: '<h1>Too Many Requests</h1>',
};

/** The parts of a simulator that a request uses. */
interface HandlerParts {
  readonly readData: (atMs: number) => UpstreamData;
  readonly faults: Faults;
  readonly calls: CallCounter;
  readonly latency: 'none' | 'realistic';
  readonly now: () => number;
}

/**
 * Responds to one request to the simulated upstream: with an error at once, or with the route's
 * response after its latency, changed by the faults.
 */
export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { readData, faults, calls, latency, now }: HandlerParts,
): Promise<void> {
  const { pathname, search, searchParams: query } = new URL(request.url ?? '/', 'http://upstream');
  const route: SimulatedCall | undefined = SIMULATED_ROUTES.find(({ path }) => path === pathname);
  const callsIn10Seconds = calls.count(route?.name ?? 'unknown', now());
  const body = await bodyOf(request);
  const refused = refusalOf(request, pathname, route, callsIn10Seconds);
  if (refused || !route) return send(response, refused ?? json(404, {}), now());
  if (latency === 'realistic') await sleep(route.latencyMs);
  // The time of the data is after the latency, as in upstream.
  const at = now();
  const good = route.respond({ url: pathname + search, query, body, now: at }, readData(at));
  await send(response, faults.apply(route, query, good), at);
}

/**
 * The error that upstream sends before it reads any data: 403 for the agent, 404 for an unknown
 * path or method, 429 above the rate limit. The Data API, whose paths begin with `/v2/`, has its
 * own form of a 404.
 */
function refusalOf(
  { method, headers }: IncomingMessage,
  path: string,
  route: SimulatedCall | undefined,
  callsIn10Seconds: number,
): SimulatedResponse | undefined {
  if (REFUSED_AGENT.test(headers['user-agent'] ?? '')) {
    return { status: 403, type: 'text', body: 'error code: 1010' };
  }
  if (route && route.method === method)
    return callsIn10Seconds > route.callsPer10Seconds ? THROTTLED : undefined;
  return path.startsWith('/v2/') ? dataError(404, 'not found') : json(404, { error: 'not found' });
}

/** Sends a response, whole or in part. Its `Date` is the simulated time. */
async function send(
  response: ServerResponse,
  { status, type, body, headers, sent, delayMs = 0 }: SimulatedResponse,
  nowMs: number,
): Promise<void> {
  if (sent === 'nothing') return;
  if (delayMs > 0) await sleep(delayMs);
  const whole = Buffer.from(type === 'json' ? `${JSON.stringify(body)}\n` : String(body));
  const bytes = sent === 'half' ? whole.subarray(0, whole.length / 2) : whole;
  const date = new Date(nowMs).toUTCString();
  response.writeHead(status, {
    'content-type': TYPES[type],
    date,
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

/** The parsed body; undefined if it is absent or not JSON. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return undefined;
  }
}
