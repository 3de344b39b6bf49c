import { hashText, hexWords } from '../dataset/hash.ts';
import { json, type SimulatedResponse } from '../http/response.ts';

/** The Data API's errors: status and whether to try again, by code. */
const CODES = {
  invalid_request: { status: 400, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  gone: { status: 410, retryable: false },
  rate_limited: { status: 429, retryable: true },
  internal: { status: 500, retryable: true },
  dependency_unavailable: { status: 503, retryable: true },
} as const;
export type DataErrorCode = keyof typeof CODES;

/** `{error, code, retryable, trace_id[, parameter]}`, with the trace in a header as well. */
export function dataError(code: DataErrorCode, error: string, parameter?: string): SimulatedResponse {
  const { status, retryable } = CODES[code];
  const trace = hexWords(hashText(`${code} ${error}`), 4);
  const body = { error, code, ...(parameter === undefined ? {} : { parameter }), retryable, trace_id: trace };
  return json(status, body, { 'x-trace-id': trace, ...(status === 503 ? { 'retry-after': '1' } : {}) });
}

/** The first parameter that a route does not have. */
export function unknownParameter(
  query: URLSearchParams,
  known: readonly string[],
): SimulatedResponse | undefined {
  const name = [...query.keys()].find((one) => !known.includes(one));
  if (name === undefined) return undefined;
  return dataError('invalid_request', `'${name}' is not a query param on this API`, name);
}
