import type { ErrorCode } from '../contract/errors.ts';

export interface ServiceErrorOptions extends ErrorOptions {
  /** When the same request may go well: the `Retry-After` of the response. */
  readonly retryAfterSeconds?: number;
  /** For the log only, beside the cause. */
  readonly details?: Readonly<Record<string, number | string>>;
}

/**
 * An error whose message may be shown to the caller: one sentence a person can act on. The cause is for the log
 * only. `http/` maps the code to a status; every other error becomes an internal one.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, number | string>>;

  constructor(code: ErrorCode, publicMessage: string, options: ServiceErrorOptions = {}) {
    super(publicMessage, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.details = options.details ?? {};
  }
}
