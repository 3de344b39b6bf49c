import { MAX_PAGE_BYTES, UPSTREAMS, type UpstreamName } from '../contract/upstreams.ts';
import { USER_AGENT } from '../http-client/attempt.ts';
import type { ResponseHeaders } from '../http-client/fetch.ts';
import { readText } from '../http-client/read-text.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import { asObject } from '../polymarket/json-values.ts';

/** A response as it came, whatever its status. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: unknown;
  /** How long it took. */
  readonly ms: number;
  /** When it was there, absolute ms. */
  readonly at: number;
}

export interface ProbeOptions {
  readonly urls: Readonly<Record<UpstreamName, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Absolute ms after which nothing is asked. */
  readonly deadline: number;
}

/** Between two calls, ms: a look that nobody waits for should not be felt. */
const PAUSE_MS = 100;

/** Asks the upstreams one question after the other, as the service would, and keeps what a response says of itself. */
export class Probe {
  readonly #options: ProbeOptions;
  readonly responses: (ProbeResponse & { readonly upstream: UpstreamName })[] = [];

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  get calls(): number {
    return this.responses.length;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get(upstream: UpstreamName, pathAndQuery: string): Promise<ProbeResponse> {
    return this.#ask(upstream, pathAndQuery, { method: 'GET', headers: {} });
  }

  post(upstream: UpstreamName, path: string, body: unknown): Promise<ProbeResponse> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask(upstream, path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** @throws Error that says why there is no response */
  async #ask(
    upstream: UpstreamName,
    pathAndQuery: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<ProbeResponse> {
    const { urls, fetch, clock, deadline } = this.#options;
    if (this.calls > 0) await sleep(clock, PAUSE_MS);
    const began = clock.now();
    const timeoutMs = Math.min(UPSTREAMS[upstream].timeoutMs, deadline - began);
    if (timeoutMs <= 0) throw new Error('the time was up');
    const abort = new AbortController();
    const cancel = clock.after(timeoutMs, () => abort.abort(new Error(`no response within ${timeoutMs} ms`)));
    try {
      const response = await fetch(`${urls[upstream]}${pathAndQuery}`, {
        ...init,
        headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...init.headers },
        redirect: 'manual',
        signal: abort.signal,
      });
      const { text } = await readText(response, MAX_PAGE_BYTES);
      const { status, headers } = response;
      const at = clock.now();
      const found = { upstream, status, headers, text, body: parsed(text), ms: at - began, at };
      this.responses.push(found);
      return found;
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    } finally {
      cancel();
    }
  }
}

/** What a response says in words: its error, or the beginning of its body. */
export function wordsOf({ status, body, text }: ProbeResponse): string {
  const error = asObject(body)?.error;
  const words = typeof error === 'string' ? error : text.replace(/\s+/g, ' ');
  return `${status} ${words.slice(0, 80)}`.trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // an error may be HTML
  }
}

function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause !== undefined) innermost = innermost.cause;
  return innermost instanceof Error ? innermost.message : String(innermost);
}
