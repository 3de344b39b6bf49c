/** Doubles for the tests of the client package: its clock, and the service with its responses. */
import type { Timing } from '../../../packages/client/src/timing.ts';

/** A clock that moves only when the client sleeps. */
export class FakeTiming implements Timing {
  /** The pauses of the client in ms. */
  readonly slept: number[] = [];
  /** The time limits that have neither expired nor been cancelled. */
  readonly limits = new Set<{ readonly ms: number; readonly expire: () => void }>();
  /** What `random` returns. */
  jitter = 0;
  #now = Date.parse('2026-11-21T12:00:00Z');

  readonly now = (): number => this.#now;
  readonly random = (): number => this.jitter;
  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
  };

  /** Time limits expire only when a test says so. */
  readonly after = (ms: number, callback: () => void): (() => void) => {
    const limit = { ms, expire: callback };
    this.limits.add(limit);
    return () => this.limits.delete(limit);
  };
}

export type Responder = (request: Request, url: URL) => Response | Promise<Response>;

/** Replaces the network: records the requests and responds as the test says. */
export function fakeService(responder: Responder) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return await responder(request, new URL(request.url));
  };
  return { requests, fetch };
}

export function json(body: unknown, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** An error response of the service. */
export function failure(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return json({ error: `It is ${code}.`, code, requestId: 'r-1' }, headers, status);
}
