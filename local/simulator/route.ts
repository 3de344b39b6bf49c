import type { SimulatedMarket } from './market.ts';

/** Faults can change the JSON, because it is not serialised yet. */
export interface SimulatedResponse {
  readonly status: number;
  readonly type: 'json' | 'html' | 'text';
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default all */
  readonly sent?: 'nothing' | 'half';
  readonly delayMs?: number;
}

export interface SimulatedRequest {
  readonly url: string;
  readonly query: URLSearchParams;
  /** Undefined without JSON. */
  readonly body: unknown;
  readonly now: number;
}

export interface OutcomeOf {
  readonly market: SimulatedMarket;
  readonly outcome: 0 | 1;
}

/** Markets at the time of the request. */
export interface SimulatedData {
  readonly markets: readonly SimulatedMarket[];
  /** By token. */
  readonly outcomes: ReadonlyMap<string, OutcomeOf>;
  /** By 64 hex digits. */
  readonly conditions: ReadonlyMap<string, SimulatedMarket>;
}

export interface UpstreamData extends SimulatedData {
  /** Markets that closed before the start. Generated on first use, because it takes half a second. */
  past(): SimulatedData;
}

export interface SimulatedCall {
  readonly name: string;
  readonly upstream: 'gamma' | 'clob' | 'data';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly latencyMs: number;
  /** An address with more calls in any 10 seconds gets 429 (docs/upstream.md, "Rate limits"). */
  readonly callsPer10Seconds: number;
  readonly respond: (request: SimulatedRequest, data: UpstreamData) => SimulatedResponse;
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SimulatedResponse {
  return { status, type: 'json', body, headers };
}

/** @returns undefined unless the value is a whole number */
export function wholeNumber(value: unknown): number | undefined {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}
