import type { ApiError as ErrorBody } from './generated/api.ts';

/** The service's stable codes; a code added later arrives as a plain string. */
export type ErrorCode = ErrorBody['code'] | (string & {});

export interface ApiErrorDetails {
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait; only with 429 and some 502. */
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The service refused or failed: `message` is its own sentence, `code` tells which of its errors it is.
 *
 * @example
 * try { … } catch (error) { if (ApiError.is(error, 'no_order_book')) … }
 */
export class ApiError extends Error implements ApiErrorDetails {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** Whether something thrown is an error of the service, and one of these codes where any are named. */
  static is(thrown: unknown, ...codes: readonly ErrorCode[]): thrown is ApiError {
    return thrown instanceof ApiError && (codes.length === 0 || codes.includes(thrown.code));
  }

  /** @param body the parsed body; whatever stands between us and the service may have sent another form */
  static from(response: Response, body: unknown): ApiError {
    const { error, code, requestId } = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Record<keyof ErrorBody, unknown>
    >;
    return new ApiError(
      typeof error === 'string' ? error : `The service responded with status ${response.status}.`,
      {
        status: response.status,
        code: typeof code === 'string' ? code : `http_${response.status}`,
        requestId:
          typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined),
        retryAfterSeconds: retryAfterSeconds(response),
      },
    );
  }
}

/** Seconds of a `Retry-After`, whole or as a date; undefined when there is none that can be read. */
export function retryAfterSeconds(response: Response, now: number = Date.now()): number | undefined {
  const value = response.headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
