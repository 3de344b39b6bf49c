import { describe, expect, it } from '@jest/globals';
import {
  goneError,
  missingError,
  staleError,
  unreadableError,
} from '../../../../lambda/snapshots/snapshot-errors.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const RULE = { freshSeconds: 120, staleIfErrorSeconds: 0 };
const CAUSE = new Error('DynamoDB is not there');

/** A snapshot whose prices were read so many seconds ago. */
const aged = (seconds: number) => ({
  id: 'id',
  asOf: NOW - seconds * 1_000,
  markets: 1,
  counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
  chunks: 1,
  checksum: '',
  expiresAt: 0,
});

describe('what callers are told', () => {
  it.each([
    [
      'nothing was published yet',
      missingError(),
      'snapshot_missing',
      'There is no market data yet: no refresh has succeeded so far; try again in a minute.',
      undefined,
    ],
    [
      'the store cannot be read',
      unreadableError(CAUSE),
      'snapshot_missing',
      'The market data cannot be read at the moment; try again in a few seconds.',
      CAUSE,
    ],
    [
      'the snapshot of a link is gone',
      goneError(),
      'snapshot_gone',
      'The snapshot of this link is no longer kept; start again from the first page.',
      undefined,
    ],
    [
      'the snapshot of a link is broken',
      goneError(CAUSE),
      'snapshot_gone',
      'The snapshot of this link is no longer whole; start again from the first page.',
      CAUSE,
    ],
    [
      'no newer data is there',
      staleError(aged(151.4), NOW, RULE),
      'snapshot_stale',
      'The newest market data is 151 s old, more than the 150 s allowed: no newer refresh has succeeded; try again in a minute.',
      undefined,
    ],
    [
      'newer data cannot be read',
      staleError(aged(700), NOW, { ...RULE, staleIfErrorSeconds: 600 }, CAUSE),
      'snapshot_stale',
      'The newest market data that could be read is 700 s old, more than the 600 s allowed: the data of later refreshes cannot be read at the moment; try again in a few seconds.',
      CAUSE,
    ],
    [
      'the data bears a time in the future',
      staleError(aged(-301), NOW, RULE, CAUSE),
      'snapshot_stale',
      'The newest market data bears a time that lies in the future, so its age is unknown; try again in two minutes.',
      CAUSE,
    ],
  ])('when %s', (_, error, code, message, cause) => {
    expect([error.code, error.message, error.cause]).toEqual([code, message, cause]);
  });

  it('has the age as a number beside it, where it is known', () => {
    expect(staleError(aged(151.4), NOW, RULE).details).toEqual({ ageSeconds: 151 });
    expect(staleError(aged(-301), NOW, RULE).details).toEqual({});
  });
});
