import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { mix, unit } from '../dataset/hash.ts';
import type { AppliedFault, Faults } from '../faults/registry.ts';
import type { Route } from '../routes.ts';
import type { World } from '../state.ts';
import { type Answer, json } from './answer.ts';
import { Edge } from './edge.ts';
import { BodyTooLarge, parseJson, readBody, send } from './exchange.ts';
import type { Journal } from './request-log.ts';

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

/** Answers requests to Gamma and CLOB: the edge, then the faults, then the route. */
export class UpstreamHandler {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #journal: Journal;
  readonly #edge: Edge;
  #served = 0;

  constructor(world: World, faults: Faults, journal: Journal) {
    this.#world = world;
    this.#faults = faults;
    this.#journal = journal;
    this.#edge = new Edge(world);
  }

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const started = performance.now();
    const at = this.#world.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const route = this.#edge.admit(request, url);
    const name = 'name' in route ? route.name : 'unknown';
    this.#journal.arrived(name);
    let passage: Passage = { request, url, body: '', gone: gone.signal, faults: [] };
    let status = 0;
    let responseBytes = 0;
    try {
      passage = { ...passage, body: await readBody(request) };
      const answer = 'name' in route ? await this.#answer(route, passage) : route;
      if (answer === undefined) {
        request.socket.resetAndDestroy();
        return;
      }
      status = answer.status;
      responseBytes = await this.#send(response, answer, passage);
    } catch (error) {
      if (gone.signal.aborted || request.errored !== null || response.headersSent) return;
      status = error instanceof BodyTooLarge ? 413 : 500;
      if (status === 500) console.error('Simulated upstream: a request failed.', error);
      const sorry = json(status, { type: 'internal error', error: 'cannot get the information' });
      responseBytes = await send(response, sorry, { headers: { connection: 'close' }, gzip: false });
    } finally {
      this.#journal.ended({
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

  /** The route's answer or what faults make of it; undefined where the connection is to be reset. */
  async #answer(route: Route, passage: Passage): Promise<Answer | undefined> {
    const metered = this.#edge.meter(passage.request, route);
    if (typeof metered !== 'number') return metered;
    passage.faults = this.#faults.take(route);
    const slow = passage.faults.reduce((sum, { effect }) => sum + (effect.delayMs ?? 0), 0);
    const instead = effectOf(passage, 'instead');
    const delay = instead === 'hang' ? FOR_EVER_MS : metered + slow + this.#latency(route);
    if (delay > 0) await wait(delay, undefined, { signal: passage.gone });
    if (instead === 'reset' || instead === 'hang') return undefined;
    return instead ?? this.#routed(route, passage);
  }

  #routed(route: Route, passage: Passage): Answer {
    const query = passage.url.searchParams;
    const ageSeconds = effectOf(passage, 'ageSeconds') ?? this.#edge.ageSeconds(passage.url);
    const now = this.#world.now();
    const answer = route.answer({ query, body: parseJson(passage.body), now, ageSeconds }, this.#world);
    if (answer.status !== 200) return answer;
    const { previousPage } = this.#world;
    if (route.name === 'markets-keyset') {
      this.#world.previousPage = (answer.body as { readonly markets: World['previousPage'] }).markets;
    }
    const body = passage.faults.reduce(
      (value, { effect, draw }) =>
        effect.change === undefined ? value : effect.change(value, { query, previousPage, draw }),
      answer.body,
    );
    return { ...answer, body };
  }

  #send(response: ServerResponse, answer: Answer, passage: Passage): Promise<number> {
    const { request, url } = passage;
    const date = new Date(this.#world.now() + (effectOf(passage, 'dateSkewMs') ?? 0));
    return send(response, answer, {
      headers: { date: date.toUTCString(), ...this.#edge.corsHeaders(request, url) },
      gzip: /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) && answer.status !== 204,
      mode: effectOf(passage, 'sending'),
    });
  }

  #latency(route: Route): number {
    if (this.#world.latency === 'none') return 0;
    this.#served += 1;
    return route.latencyMs * (1 + LATENCY_JITTER * (2 * unit(mix(0x1a7, this.#served)) - 1));
  }
}

/** What the first fault that has a say in it wants. */
function effectOf<K extends keyof AppliedFault['effect']>(
  passage: Passage,
  name: K,
): AppliedFault['effect'][K] {
  return passage.faults.find(({ effect }) => effect[name] !== undefined)?.effect[name];
}
