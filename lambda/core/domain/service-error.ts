import type { ErrorCode } from '../contract/errors.ts';

/** An error whose message the caller sees. The cause is for the log. Every other error becomes `internal_error`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** The `Retry-After` of the response. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(publicMessage, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
