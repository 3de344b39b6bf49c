import type { PricePoint } from '../../lambda/domain/change.ts';
import type { CallLimits } from '../../lambda/http-client/client.ts';
import { UpstreamError } from '../../lambda/http-client/upstream-error.ts';
import type { HistoryRoute, HistoryRouteName, HistorySpan } from '../../lambda/polymarket/history-route.ts';

/** What a call finds: points, the status of an error, too much to read, a bug, or nothing within the time of the test. */
export type Found = readonly PricePoint[] | number | 'too_large' | 'never' | Error;

export interface FakeRoute extends HistoryRoute {
  /** The tokens of each call so far. */
  readonly calls: (readonly string[])[];
  readonly spans: HistorySpan[];
  readonly limits: CallLimits[];
}

/** A history route that finds for each token what a test says; the status of any token is that of the call. */
export function fakeRoute(
  name: HistoryRouteName,
  find: (token: string) => Found,
  tokensPerCall = name === 'clob-batch' ? 20 : 1,
): FakeRoute {
  const calls: (readonly string[])[] = [];
  const spans: HistorySpan[] = [];
  const limits: CallLimits[] = [];
  return {
    name,
    tokensPerCall,
    calls,
    spans,
    limits,
    read: async (tokens, span, called) => {
      limits.push(called);
      calls.push(tokens);
      spans.push(span);
      const found = tokens.map((token) => [token, find(token)] as const);
      for (const [, value] of found) {
        if (value instanceof Error) throw value;
        if (value === 'never') return await new Promise<never>(() => undefined);
        if (value === 'too_large') throw new UpstreamError({ route: name, failure: value, status: 200 });
        if (typeof value === 'number') {
          throw new UpstreamError({ route: name, failure: 'status', status: value });
        }
      }
      return new Map(found as readonly (readonly [string, readonly PricePoint[]])[]);
    },
  };
}
