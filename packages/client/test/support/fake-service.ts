import type { Timing } from '../../src/timing.ts';

/** A clock that moves only when somebody sleeps. */
export class FakeTiming implements Timing {
  readonly slept: number[] = [];
  #now = Date.parse('2026-11-21T12:00:00Z');

  readonly now = (): number => this.#now;
  readonly random = (): number => 0;
  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
  };

  pass(ms: number): void {
    this.#now += ms;
  }
}

export type Responder = (request: Request, url: URL) => Response | Promise<Response>;

/** Stands in for the network: notes every request and gives what the test's responder makes of it. */
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

export function failure(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json({ error: `It is ${code}.`, code, requestId: 'r-1' }, headers, status);
}
