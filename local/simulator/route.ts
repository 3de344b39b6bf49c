/**
 * What a route of the simulated Polymarket is: it gets a request and all markets, and returns a
 * response.
 */
import type { SimulatedMarket } from './market.ts';

/** A response before it is sent. A body of type `json` is not text yet, so faults can change it. */
export interface SimulatedResponse {
  readonly status: number;
  readonly type: 'json' | 'html' | 'text';
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How much of the body is sent. @default all */
  readonly sent?: 'nothing' | 'half';
  readonly delayMs?: number;
}

/** What a route reads of a request. */
export interface SimulatedRequest {
  /** The path with its query. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** Undefined without JSON. */
  readonly body: unknown;
  /** Unix ms. */
  readonly now: number;
}

/** One outcome of a market: what a token stands for. */
export interface OutcomeOf {
  readonly market: SimulatedMarket;
  readonly outcome: 0 | 1;
}

/** Markets at the time of the request. */
export interface SimulatedData {
  readonly markets: readonly SimulatedMarket[];
  /** The outcomes by token. */
  readonly outcomes: ReadonlyMap<string, OutcomeOf>;
  /** The markets by condition id: 64 hex digits in lower case. */
  readonly conditions: ReadonlyMap<string, SimulatedMarket>;
}

/** All that routes read: the simulator's markets, and apart from them those that closed before. */
export interface UpstreamData extends SimulatedData {
  /**
   * Markets that closed before the simulator's start. The first use generates them, in half a
   * second.
   */
  past(): SimulatedData;
}

/** A route of the simulated upstream: its limits, and how it responds. */
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

/** A response with a JSON body. */
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
