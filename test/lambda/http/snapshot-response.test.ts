import { describe, expect, it } from '@jest/globals';
import type { MarketSnapshot } from '../../../lambda/core/query/market-snapshot.ts';
import { snapshotResponse } from '../../../lambda/http/snapshot-response.ts';
import { snapshotDeps } from '../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot } from '../../support/markets.ts';

describe('the responses of a snapshot', () => {
  /** The queries whose responses are made, not read from the cache. */
  function responder() {
    const made: string[] = [];
    const respond = (snapshot: MarketSnapshot, query: string, body = '[]') =>
      snapshotResponse(
        { ...snapshotDeps(snapshot), now: () => AS_OF },
        snapshot,
        { headers: {}, query: [query] },
        () => {
          made.push(query);
          return { body, headers: {} };
        },
      ).body;
    return { made, respond };
  }

  it('are made once for each query', () => {
    const { made, respond } = responder();
    const snapshot = loadedSnapshot([]);
    for (const query of ['a', 'b', 'a', 'b']) expect(respond(snapshot, query, query)).toBe(query);
    expect(made).toEqual(['a', 'b']);
    respond(loadedSnapshot([]), 'a');
    expect(made).toEqual(['a', 'b', 'a']);
  });

  it('are kept up to a number of characters of bodies and queries', () => {
    const { made, respond } = responder();
    const snapshot = loadedSnapshot([]);
    const large = 'x'.repeat(1_500_000);
    for (const query of ['a', 'b', 'c', 'c', 'b', 'a']) respond(snapshot, query, large);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
    respond(snapshot, 'q'.repeat(3_000_000));
    respond(snapshot, 'b', large);
    expect(made).toHaveLength(6);
  });
});
