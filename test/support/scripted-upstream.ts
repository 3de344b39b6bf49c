import type { UpstreamName } from '../../lambda/contract/upstreams.ts';
import type { Upstream } from '../../lambda/http-client/client.ts';
import { createUpstream } from '../../lambda/http-client/create-upstream.ts';
import type { UpstreamError } from '../../lambda/http-client/upstream-error.ts';
import { ManualClock } from './manual-clock.ts';

/** What a call gets: JSON with status 200, a whole response, or nothing for as long as the caller waits. */
export type ScriptedReply = Response | 'hang' | object | null;

export interface ScriptedUpstream {
  readonly upstream: Upstream;
  readonly clock: ManualClock;
  /** The calls so far; a call without a body is a GET. */
  readonly calls: { readonly path: string; readonly query: URLSearchParams; readonly body?: unknown }[];
  /** What the client took for a failure. */
  readonly failures: UpstreamError[];
}

/** Whoever calls more often than any test expects hears nothing more, and the test fails rather than goes on for ever. */
const MOST_CALLS = 100;

/** The real client of an upstream, with no network beneath: replies in turn, of which the last one is repeated. */
export function scriptedUpstream(name: UpstreamName, ...replies: ScriptedReply[]): ScriptedUpstream {
  const clock = new ManualClock();
  const calls: ScriptedUpstream['calls'] = [];
  const failures: UpstreamError[] = [];
  const upstream = createUpstream(name, {
    baseUrl: 'http://upstream.example',
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(url);
      const sent = typeof init.body === 'string' ? { body: JSON.parse(init.body) as unknown } : {};
      calls.push({ path: pathname, query: searchParams, ...sent });
      if (calls.length > MOST_CALLS) return await new Promise<never>(() => undefined);
      const reply = replies[Math.min(calls.length, replies.length) - 1];
      if (reply === 'hang') return await aborted(init.signal);
      return reply instanceof Response ? reply.clone() : new Response(JSON.stringify(reply));
    },
    clock,
    random: () => 0,
    observer: { called: () => undefined, retried: () => undefined, failed: (error) => failures.push(error) },
  });
  return { upstream, clock, calls, failures };
}

/** A response with an error of upstream's in its usual form. */
export function errorReply(status: number, error: string): Response {
  return new Response(JSON.stringify({ error }), { status });
}

/** How a promise ended, once so much time has passed; a promise that has not is an error, too. */
export async function outcomeAfter(
  ms: number,
  clock: ManualClock,
  promise: Promise<unknown>,
): Promise<unknown> {
  let outcome: unknown = new Error(`Nothing within ${ms} ms`);
  const ended = (found: unknown) => {
    outcome = found;
  };
  promise.then(ended, ended);
  await clock.advance(ms);
  return outcome;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}
