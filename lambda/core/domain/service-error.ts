import type { ErrorCode } from '../contract/errors.ts';

/**
 * An error whose message the caller sees: what is wrong and what to do. The cause is for the log.
 * All other errors become `internal_error`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** The `Retry-After` of the response: the same request may succeed after this time. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    publicMessage: string,
    options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(publicMessage, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
