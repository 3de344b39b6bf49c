import { ERRORS, type ErrorCode } from '../errors.ts';
import { type Json, ref } from '../route.ts';

/** Every endpoint may respond with these. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'rate_limited',
  'internal_error',
];

/** Errors of one status share a response. */
export function errorResponses(codes: readonly ErrorCode[], withBody: boolean): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const responses = [...byStatus].map(([status, some]) => [
    status,
    {
      description: some.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('; '),
      ...(status === 429 ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
      ...(withBody
        ? {
            content: {
              'application/json': {
                schema: ref('ApiError'),
                example: {
                  error: 'What went wrong, and what to do.',
                  code: some[0],
                  requestId: 'c6af9ac6-7b61',
                },
              },
            },
          }
        : {}),
    },
  ]);
  return Object.fromEntries(responses);
}

/** What is refused before anything of ours sees it. A list of many long entries gets there. */
export function tooLongResponses(withBody: boolean): Json {
  const content = (type: string, schema: Json) => (withBody ? { content: { [type]: { schema } } } : {});
  return {
    414: {
      description: "The address is longer than 8,192 bytes: CloudFront's own page",
      ...content('text/html', { type: 'string' }),
    },
    431: {
      description: 'The address and the headers together are longer than the server takes',
      ...content('application/json', ref('ApiError')),
    },
  };
}
