/** What the errors of DynamoDB's client mean. */
import type { ThrottlingReason } from '@aws-sdk/client-dynamodb';

/** Whether a write failed because its condition did not hold. */
export function isConditionFailed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** Whether the connection was closed, for example because Lambda had frozen the container. */
export function isConnectionClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'EPIPE')
  );
}

/** DynamoDB's names of errors for too many requests. */
const THROTTLING_ERRORS = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
];

/** An error with its reasons. The SDK begins the name in lower case only for `ThrottlingException`. */
interface ThrottlingError extends Error {
  readonly ThrottlingReasons?: readonly ThrottlingReason[];
  readonly throttlingReasons?: readonly ThrottlingReason[];
}

/**
 * What DynamoDB throttles: the whole `table`, or only requests for the same `key`. `unknown`: the
 * error names no reason. Undefined for any other error.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function throttlingOf(error: unknown): 'key' | 'table' | 'unknown' | undefined {
  if (!(error instanceof Error && THROTTLING_ERRORS.includes(error.name))) return undefined;
  const { ThrottlingReasons, throttlingReasons }: ThrottlingError = error;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length === 0) return 'unknown';
  // For example `TableWriteKeyRangeThroughputExceeded`.
  return reasons.every(({ reason }) => reason?.endsWith('KeyRangeThroughputExceeded'))
    ? 'key'
    : 'table';
}
