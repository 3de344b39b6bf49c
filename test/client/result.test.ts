/**
 * Each method of the client package returns the data, and what the headers say about it: when the
 * prices were read, the snapshot, and the number of entries on all pages. `toResult` makes this
 * result.
 */
import { describe, expect, it } from '@jest/globals';
import { toResult } from '../../packages/client/src/result.ts';
import { json } from './support/fake-service.ts';

/** The clock of the caller. The header `Date` is the clock of the service. */
const NOW = Date.parse('2026-11-21T12:10:00Z');
/** The result of a response with these headers. */
const resultOf = (headers: Record<string, string>, hasHttpCache = false) =>
  toResult([], json([], headers), NOW, hasHttpCache);

describe('a result', () => {
  it('has the age, the snapshot and the total of the headers', () => {
    const result = resultOf({
      'last-modified': 'Sat, 21 Nov 2026 11:59:30 GMT',
      date: 'Sat, 21 Nov 2026 12:00:00 GMT',
      'x-snapshot-id': 'snapshot-1',
      'x-total-count': '5',
    });
    expect(result).toMatchObject({ ageSeconds: 30, snapshot: 'snapshot-1', total: 5 });
    expect(result.asOf?.toISOString()).toBe('2026-11-21T11:59:30.000Z');
  });

  it('counts the age of a response from an HTTP cache by the clock of the caller', () => {
    const headers = {
      'last-modified': 'Sat, 21 Nov 2026 12:08:00 GMT',
      date: 'Sat, 21 Nov 2026 12:08:30 GMT',
    };
    expect(resultOf(headers, true).ageSeconds).toBe(120);
  });

  it('leaves undefined what the headers do not say', () => {
    const { asOf, ageSeconds, snapshot, total } = resultOf({});
    expect([asOf, ageSeconds, snapshot, total]).toEqual(Array(4).fill(undefined));
  });

  it('counts the age by its own clock if the response has no Date, and never below 0', () => {
    expect(resultOf({ 'last-modified': 'Sat, 21 Nov 2026 12:09:00 GMT' }).ageSeconds).toBe(60);
    expect(resultOf({ 'last-modified': 'Sat, 21 Nov 2026 12:11:00 GMT' }).ageSeconds).toBe(0);
  });
});
