import type { ErrorBody, ErrorCode } from './api.ts';

/** The code of an error that a proxy sent, and not the service. */
type ProxyCode = `http_${number}`;
/**
 * The code of an error. Later versions of the service can send other codes, so any text is allowed.
 * The intersection makes editors suggest the known codes anyway.
 */
type AnyCode = ErrorCode | ProxyCode | (string & Record<never, never>);

/**
 * The service's error: `message` is its sentence, `code` identifies it.
 *
 * @example
 * try { … } catch (error) { if (ApiError.is(error, 'no_order_book')) … }
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: AnyCode;
  readonly requestId: string | undefined;
  /** From `Retry-After`; only with 429, and some 502 and 503. */
  readonly retryAfterSeconds: number | undefined;

  /** @param body the parsed body, of any form: a proxy can have sent it */
  constructor(response: Response, body: unknown) {
    const isObject = typeof body === 'object' && body !== null;
    const { error, code, requestId }: Partial<Record<keyof ErrorBody, unknown>> = isObject
      ? body
      : {};
    super(
      typeof error === 'string' ? error : `The service responded with status ${response.status}.`,
    );
    this.status = response.status;
    this.code = typeof code === 'string' ? code : `http_${response.status}`;
    this.requestId =
      typeof requestId === 'string'
        ? requestId
        : (response.headers.get('x-request-id') ?? undefined);
    this.retryAfterSeconds = retryAfterSeconds(response);
  }

  /** Whether the service sent the error. With `codes`, true only if it has one of them. */
  static is(thrown: unknown, ...codes: readonly (ErrorCode | ProxyCode)[]): thrown is ApiError {
    return (
      thrown instanceof ApiError &&
      (codes.length === 0 || codes.some((code) => code === thrown.code))
    );
  }
}

/** Reads `Retry-After`, a number or date. @returns undefined if it is absent or malformed */
export function retryAfterSeconds(
  response: Response,
  now: number = Date.now(),
): number | undefined {
  const value = response.headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
