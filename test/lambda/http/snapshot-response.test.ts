// `snapshotResponse` makes the response to a query of a snapshot, and caches it with the snapshot.
// An equal query of the same snapshot gets the cached one.

import { describe, expect, it } from '@jest/globals';
import type { MarketSnapshot } from '../../../lambda/core/query/market-snapshot.ts';
import { snapshotResponse } from '../../../lambda/http/snapshot-response.ts';
import { snapshotDeps } from '../../support/endpoint-request.ts';
import { loadedSnapshot } from '../../support/markets.ts';

describe('the responses of a snapshot', () => {
  /** Responds to queries. `made` lists the queries whose responses did not come from the cache. */
  function responder() {
    const made: string[] = [];
    const respond = (snapshot: MarketSnapshot, query: string, body = '[]') => {
      const make = () => {
        made.push(query);
        return { body, headers: {} };
      };
      const request = { headers: {}, query: [query] };
      return snapshotResponse(snapshotDeps(snapshot), snapshot, request, make).body;
    };
    return { made, respond };
  }

  it('are cached for each query', () => {
    const { made, respond } = responder();
    const snapshot = loadedSnapshot([]);
    for (const query of ['a', 'b', 'a', 'b']) {
      expect(respond(snapshot, query, `body of ${query}`)).toBe(`body of ${query}`);
    }
    expect(made).toEqual(['a', 'b']);
  });

  it('are made again for another snapshot', () => {
    const { made, respond } = responder();
    respond(loadedSnapshot([]), 'a');
    respond(loadedSnapshot([]), 'a');
    expect(made).toEqual(['a', 'a']);
  });

  // The cache of a snapshot holds 4,000,000 characters, so two of three responses here. It drops
  // the least recently used one, which is "a" when "c" comes.
  it('are dropped from the cache if their bodies have too many characters together', () => {
    const { made, respond } = responder();
    const snapshot = loadedSnapshot([]);
    const body = 'x'.repeat(1_500_000);
    for (const query of ['a', 'b', 'c', 'b', 'a']) respond(snapshot, query, body);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are dropped from the cache if their queries have too many characters together', () => {
    const { made, respond } = responder();
    const snapshot = loadedSnapshot([]);
    const [a, b, c] = ['a'.repeat(1_500_000), 'b'.repeat(1_500_000), 'c'.repeat(1_500_000)];
    for (const query of [a, b, c, b, a]) respond(snapshot, query);
    expect(made).toEqual([a, b, c, a]);
  });
});
