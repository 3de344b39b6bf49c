import type { ErrorCode } from '../contract/errors.ts';

/**
 * An error whose message may be shown to the caller: one sentence a person can act on. The cause is for the log
 * only. `http/` maps the code to a status; every other error is answered as an internal one.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options);
    this.code = code;
  }
}
