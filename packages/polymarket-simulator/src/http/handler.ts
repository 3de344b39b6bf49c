import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { mix, unit } from '../dataset/hash.ts';
import type { AppliedFault, Faults } from '../faults/registry.ts';
import type { Route } from '../route.ts';
import type { FoundRoute, RouteName } from '../routes.ts';
import type { State } from '../state.ts';
import { Edge } from './edge.ts';
import { BodyTooLarge, parseJson, readBody, send } from './exchange.ts';
import type { RequestLog } from './request-log.ts';
import { json, type SimulatedResponse } from './response.ts';

/** Real latencies scatter; simulated ones do by this share either way. */
const LATENCY_JITTER = 0.15;
/** The longest wait of a timer, 24 days: a request that hangs ends with its connection. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** What is known of the request at hand; filled in as it goes. */
interface Passage {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: string;
  /** Aborted when the connection is gone, by the client or because the server closes. */
  readonly gone: AbortSignal;
  faults: readonly AppliedFault[];
}

/** Responds to requests to the upstreams: the edge, then the faults, then the route. */
export class UpstreamHandler {
  readonly #state: State;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #edge: Edge;
  #served = 0;

  constructor(state: State, faults: Faults, log: RequestLog) {
    this.#state = state;
    this.#faults = faults;
    this.#log = log;
    this.#edge = new Edge(state);
  }

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const started = performance.now();
    const at = this.#state.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const found = this.#edge.check(request, url);
    const name = 'route' in found ? (found.route.name as RouteName) : 'unknown';
    this.#log.arrived(name);
    let passage: Passage = { request, url, body: '', gone: gone.signal, faults: [] };
    let status = 0;
    let responseBytes = 0;
    try {
      passage = { ...passage, body: await readBody(request) };
      const result = 'route' in found ? await this.#respond(found, passage) : found;
      if (result === undefined) {
        request.socket.resetAndDestroy();
        return;
      }
      status = result.status;
      responseBytes = await this.#send(response, result, passage);
    } catch (error) {
      if (gone.signal.aborted || request.errored !== null || response.headersSent) return;
      status = error instanceof BodyTooLarge ? 413 : 500;
      if (status === 500) console.error('Simulated upstream: a request failed.', error);
      const sorry = json(status, { type: 'internal error', error: 'cannot get the information' });
      responseBytes = await send(response, sorry, { headers: { connection: 'close' }, gzip: false });
    } finally {
      this.#log.ended({
        at,
        route: name,
        method: request.method ?? '',
        url: request.url ?? '',
        userAgent: request.headers['user-agent'] ?? '',
        requestBytes: Buffer.byteLength(passage.body),
        responseBytes,
        status,
        durationMs: Math.round(performance.now() - started),
        faults: passage.faults.map((fault) => fault.id),
      });
    }
  }

  /** The route's response or what faults make of it; undefined where the connection is to be reset. */
  async #respond(found: FoundRoute, passage: Passage): Promise<SimulatedResponse | undefined> {
    const { route } = found;
    const metered = this.#edge.meter(passage.request, route);
    if (typeof metered !== 'number') return metered;
    passage.faults = this.#faults.take(route, this.#state.now());
    const slow = passage.faults.reduce((sum, { effect }) => sum + (effect.delayMs ?? 0), 0);
    const instead = effectOf(passage, 'instead');
    const delay = instead === 'hang' ? FOR_EVER_MS : metered + slow + this.#latency(route);
    if (delay > 0) await wait(delay, undefined, { signal: passage.gone });
    if (instead === 'reset' || instead === 'hang') return undefined;
    return instead?.(route) ?? this.#routed(found, passage);
  }

  #routed({ route, path }: FoundRoute, passage: Passage): SimulatedResponse {
    const query = passage.url.searchParams;
    for (const { effect, draw } of passage.faults) effect.before?.(this.#state, draw);
    const request = {
      query,
      path,
      body: parseJson(passage.body),
      now: this.#state.now(),
      ageSeconds: effectOf(passage, 'ageSeconds') ?? this.#edge.ageSeconds(passage.url),
      lists: effectOf(passage, 'lists') ?? {},
    };
    const result = route.respond(request, this.#state);
    const lineFeed = route.upstream !== 'data';
    if (result.status !== 200 || result.type !== 'json') return { ...result, lineFeed };
    const { previousPage } = this.#state;
    if (route.name === 'markets-keyset') {
      this.#state.previousPage = (result.body as { readonly markets: State['previousPage'] }).markets;
    }
    const body = passage.faults.reduce(
      (value, { effect, draw }) =>
        effect.change === undefined ? value : effect.change(value, { query, previousPage, draw }),
      result.body,
    );
    return { ...result, body, lineFeed };
  }

  #send(response: ServerResponse, result: SimulatedResponse, passage: Passage): Promise<number> {
    const { request, url } = passage;
    const date = new Date(this.#state.now() + (effectOf(passage, 'dateSkewMs') ?? 0));
    return send(response, result, {
      headers: { date: date.toUTCString(), ...this.#edge.corsHeaders(request, url) },
      gzip:
        /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) &&
        result.status !== 204 &&
        effectOf(passage, 'plain') !== true,
      mode: effectOf(passage, 'sending'),
      text: effectOf(passage, 'text'),
      mislabelled: effectOf(passage, 'headers'),
    });
  }

  #latency(route: Route): number {
    if (this.#state.latency === 'none') return 0;
    this.#served += 1;
    return route.latencyMs * (1 + LATENCY_JITTER * (2 * unit(mix(0x1a7, this.#served)) - 1));
  }
}

/** What the first fault that has a say in it wants. */
function effectOf<K extends keyof AppliedFault['effect']>(
  passage: Passage,
  name: K,
): AppliedFault['effect'][K] | undefined {
  return passage.faults.find(({ effect }) => effect[name] !== undefined)?.effect[name];
}
