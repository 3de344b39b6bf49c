import { describe, expect, it } from '@jest/globals';
import { toResult } from '../../packages/client/src/result.ts';
import { json } from './support/fake-service.ts';

const NOW = Date.parse('2026-11-21T12:10:00Z');
const resultOf = (headers: Record<string, string>) => toResult([], json([], headers), 'http://service/dev/api', NOW);

describe('a result', () => {
  it('has the facts of the headers', () => {
    const result = resultOf({
      'last-modified': 'Sat, 21 Nov 2026 11:59:30 GMT',
      date: 'Sat, 21 Nov 2026 12:00:00 GMT',
      'x-snapshot-id': 'snapshot-1',
      'x-total-count': '5',
      ratelimit: '"per-ip";r=41;t=30',
    });
    expect(result).toMatchObject({ ageSeconds: 30, snapshot: 'snapshot-1', total: 5, requestsLeft: 41, links: {} });
    expect(result.asOf?.toISOString()).toBe('2026-11-21T11:59:30.000Z');
  });

  it('leaves undefined what the headers do not say', () => {
    const { asOf, ageSeconds, snapshot, total, requestsLeft } = resultOf({});
    expect([asOf, ageSeconds, snapshot, total, requestsLeft]).toEqual(Array(5).fill(undefined));
  });

  it('counts the age by its own clock if the response has no Date, and never below 0', () => {
    expect(resultOf({ 'last-modified': 'Sat, 21 Nov 2026 12:09:00 GMT' }).ageSeconds).toBe(60);
    expect(resultOf({ 'last-modified': 'Sat, 21 Nov 2026 12:11:00 GMT' }).ageSeconds).toBe(0);
  });

  it('resolves the links of other pages', () => {
    const link = '</dev/api/markets?offset=2>; rel="next", <http://other/x>; rel="last"';
    expect(resultOf({ link }).links).toEqual({
      next: 'http://service/dev/api/markets?offset=2',
      last: 'http://other/x',
    });
  });
});
