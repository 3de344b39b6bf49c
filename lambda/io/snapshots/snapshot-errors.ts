/** The errors that callers get if no snapshot can be served. Each says when to try again. */
import { MAX_AGE_SECONDS, RUN_INTERVAL_SECONDS } from '../../core/contract/constants.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { ageSeconds, type UnixMs } from '../../core/domain/time.ts';

/** A first refresh takes 5 to 30 s, depending on upstream. */
const FIRST_DATA_SECONDS = 10;
/** A table that cannot be read usually recovers within seconds. */
const UNREADABLE_SECONDS = 5;

/** There is no snapshot yet. */
export function missingError(): ServiceError {
  return new ServiceError(
    'snapshot_missing',
    `There is no market data yet: no refresh has succeeded so far. Try again in ${FIRST_DATA_SECONDS} seconds. If this error persists, /api/status shows the reason.`,
    { retryAfterSeconds: FIRST_DATA_SECONDS },
  );
}

/** There may be data, but the table cannot be read. */
export function unreadableError(cause: unknown): ServiceError {
  return new ServiceError(
    'snapshot_missing',
    `The market data cannot be read at the moment. Try again in ${UNREADABLE_SECONDS} seconds.`,
    { cause, retryAfterSeconds: UNREADABLE_SECONDS },
  );
}

/**
 * A snapshot that was requested by its id does not exist.
 *
 * @param cause why it is unreadable; undefined if it expired or never existed
 */
export function goneError(cause?: unknown): ServiceError {
  const problem = cause ? 'can no longer be read' : 'is no longer kept';
  return new ServiceError(
    'snapshot_gone',
    `This snapshot ${problem}. Start again from the first page.`,
    { cause },
  );
}

/**
 * The newest snapshot is too old.
 *
 * @param asOf of the newest snapshot that could be read
 * @param failure why a newer snapshot is unreadable; undefined if there is none
 */
export function staleError(asOf: UnixMs, now: UnixMs, failure?: unknown): ServiceError {
  // Rounds up, because data of 150.3 s is older than 150 s.
  const age = Math.ceil(ageSeconds(asOf, now));
  const retryAfterSeconds = failure ? UNREADABLE_SECONDS : RUN_INTERVAL_SECONDS;
  const problem = Number.isFinite(age)
    ? `The newest market data is ${age} s old, more than the ${MAX_AGE_SECONDS} s allowed`
    : 'The newest market data has a time in the future, so that its age is unknown';
  const reason = failure
    ? 'newer data cannot be read at the moment'
    : 'no newer refresh has succeeded';
  return new ServiceError(
    'snapshot_stale',
    `${problem}: ${reason}. Try again in ${retryAfterSeconds} seconds.`,
    {
      cause: failure,
      retryAfterSeconds,
    },
  );
}
