import type { ErrorCode } from '../contract/errors.ts';

/**
 * An error whose message is shown to the caller: one sentence that says what to do. The cause is for the log only.
 * `http/` maps the code to a status; every other error becomes `internal_error`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Seconds after which the same request may succeed: the `Retry-After` of the response. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(publicMessage, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
