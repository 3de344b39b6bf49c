import { ageSeconds, type FreshnessRule, longestAge } from '../domain/freshness.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Manifest } from './dynamodb-items.ts';

/** Nothing was ever published here. */
export function missingError(): ServiceError {
  return new ServiceError(
    'snapshot_missing',
    'There is no market data yet: no refresh has succeeded so far; try again in a minute.',
  );
}

/** There may be data, but it cannot be read. */
export function unreadableError(cause: unknown): ServiceError {
  return new ServiceError(
    'snapshot_missing',
    'The market data cannot be read at the moment; try again in a few seconds.',
    { cause },
  );
}

/** @param cause why it cannot be read, where it is still there */
export function goneError(cause?: unknown): ServiceError {
  const message = cause
    ? 'The snapshot of this link is no longer whole; start again from the first page.'
    : 'The snapshot of this link is no longer kept; start again from the first page.';
  return new ServiceError('snapshot_gone', message, { cause });
}

/**
 * @param newest what was last read
 * @param now ms
 * @param failure why nothing newer could be read; without it there is nothing newer
 */
export function staleError(
  newest: Manifest,
  now: number,
  rule: FreshnessRule,
  failure?: unknown,
): ServiceError {
  const age = Math.round(ageSeconds(newest.asOf, now));
  if (!Number.isFinite(age)) {
    return new ServiceError(
      'snapshot_stale',
      'The newest market data bears a time that lies in the future, so its age is unknown; try again in two minutes.',
      { cause: failure },
    );
  }
  const tooOld = `${age} s old, more than the ${longestAge(rule)} s allowed`;
  const message = failure
    ? `The newest market data that could be read is ${tooOld}: the data of later refreshes cannot be read at the moment; try again in a few seconds.`
    : `The newest market data is ${tooOld}: no newer refresh has succeeded; try again in a minute.`;
  return new ServiceError('snapshot_stale', message, { cause: failure, details: { ageSeconds: age } });
}
