import type { ErrorCode } from '../contract/errors.ts';

/**
 * The caller sees the message; the cause is for the log. All other errors become `internal_error`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** For `Retry-After`. */
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
