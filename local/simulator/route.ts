import type { SimulatedMarket } from './market.ts';

/** A response before it is written. JSON values stay values, so that faults can change them. */
export interface SimulatedResponse {
  readonly status: number;
  readonly type: 'json' | 'html' | 'text';
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A fault sends nothing, half of the body, or half of it and then breaks the connection, or resets it at once. @default all */
  readonly sent?: 'nothing' | 'half' | 'broken' | 'reset';
  /** Time that passes before the response is sent. */
  readonly delayMs?: number;
}

export interface SimulatedRequest {
  /** Path and query as sent. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined where there is none. */
  readonly body: unknown;
  readonly now: number;
}

/** The market and the outcome of a token. */
export interface OutcomeOf {
  readonly market: SimulatedMarket;
  readonly outcome: 0 | 1;
}

/** The markets that exist at the time of the request, also those that have closed. */
export interface UpstreamData {
  readonly markets: readonly SimulatedMarket[];
  /** By token. */
  readonly outcomes: ReadonlyMap<string, OutcomeOf>;
  /** By condition id of 64 hex digits. */
  readonly conditions: ReadonlyMap<string, SimulatedMarket>;
}

export interface SimulatedCall {
  readonly name: string;
  readonly upstream: 'gamma' | 'clob' | 'data';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** How long the real one takes. */
  readonly latencyMs: number;
  /** More calls of one address in any 10 seconds get 429 (docs/upstream.md, "Rate limits"). */
  readonly callsPer10Seconds: number;
  readonly respond: (request: SimulatedRequest, data: UpstreamData) => SimulatedResponse;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): SimulatedResponse {
  return { status, type: 'json', body, headers };
}

/** A parameter as a whole number; undefined where it is none. */
export function wholeNumber(value: unknown): number | undefined {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}
