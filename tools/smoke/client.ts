import { messageOf } from 'cdk-local';

/** A response, its body read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the body is empty or not JSON. */
  readonly json: unknown;
  /** Where it came from, to resolve links. */
  readonly url: URL;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Nothing responds at the address, or not in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Longer than the service ever takes, a cold start included. */
const TIMEOUT_MS = 15_000;

/** Calls a deployment from outside, as any client does, and counts its requests. */
export class Client {
  /** So far, preflights included. */
  requests = 0;
  /** Those of them that the per-IP limit counted, as their headers say. */
  counted = 0;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param base the address before `/api/…`; may have a path, such as a stage's */
  constructor(base: URL, apiKey?: string) {
    this.#base = base.href.replace(/\/$/, '');
    this.#headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  }

  /** @param target a path below the base, or a whole address, such as that of a link */
  async call(target: string | URL, options: CallOptions = {}): Promise<HttpResponse> {
    const url = typeof target === 'string' ? new URL(`${this.#base}${target}`) : target;
    this.requests += 1;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        ...options,
        headers: { ...this.#headers, ...options.headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      throw new Unreachable(`${url.host} cannot be reached: ${reasonOf(error)}.`, { cause: error });
    }
    if (response.headers.has('ratelimit')) this.counted += 1;
    return { status: response.status, headers: response.headers, text, json: parsed(text), url };
  }
}

/** `fetch failed` says nothing: the reason is in the cause, and where several addresses were tried, in its code. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const message = messageOf(cause);
  return message === '' ? (code ?? 'no reason given') : message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
