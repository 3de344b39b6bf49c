/** Makes the requests that check a deployed service, and remembers the last one for the log. */
import { parseJson } from '../../core/domain/values.ts';

/** The log contains this much of a response. */
const EXCERPT_CHARACTERS = 200;

/** A response of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined for a body that is not JSON. */
  readonly json: unknown;
  /** The `code` of an error of the service; undefined for other responses. */
  readonly code: unknown;
}

interface LastRequest {
  readonly path: string;
  readonly status?: number;
  readonly excerpt?: string;
}

interface CallerOptions {
  readonly base: string;
  /** A key for API Gateway's own address. Empty for CloudFront's, which needs none. */
  readonly apiKey: string;
  /** Aborts the request that is under way. */
  readonly signal: AbortSignal;
}

interface CallOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests to one deployment. */
export class Caller {
  /** The last request, which is the one to blame if the check fails. */
  last: LastRequest = { path: '' };
  readonly #base: string;
  readonly #signal: AbortSignal;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ base, apiKey, signal }: CallerOptions) {
    this.#base = base.replace(/\/$/, '');
    this.#signal = signal;
    this.#headers = {
      // While Lambda freezes the process between two checks, the server would close an open
      // connection.
      connection: 'close',
      ...(apiKey !== '' && { 'x-api-key': apiKey }),
    };
  }

  /** @throws Error if no response arrives before the signal aborts */
  async get(path: string, options: CallOptions = {}): Promise<Reply> {
    this.last = { path };
    const response = await fetch(`${this.#base}${path}`, {
      redirect: 'manual',
      ...options,
      headers: { ...this.#headers, ...options.headers },
      signal: this.#signal,
    });
    const { status, headers } = response;
    this.last = { path, status };
    const text = await response.text();
    this.last = { path, status, excerpt: text.slice(0, EXCERPT_CHARACTERS) };
    const json = parseJson(text);
    return { status, headers, text, json, code: fieldsOf(json).code };
  }
}

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
