import { MAX_BODY_CHARACTERS } from '../../../lambda/contract/constants.ts';
import type { ErrorCode } from '../../../lambda/contract/errors.ts';
import { ALLOWED_METHODS } from '../../../lambda/contract/headers.ts';
import { type Check, checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { CallOptions } from '../client.ts';
import { pathOf } from '../deployment.ts';

/** Well formed, and of a snapshot that is long gone. */
const GONE = '20200101T000000000Z-00000000';
/** A token that no market has. */
const NO_TOKEN = '1';

/** The error contract (design 2.3): status, code, one body, and what each must say besides. */
export const ERROR_CHECKS = checks([
  refusal('error: a malformed limit', pathOf('list-markets', { limit: '0' }), 'invalid_parameter', 'limit'),
  refusal('error: a search without q', pathOf('search-markets'), 'missing_parameter', 'q'),
  refusal('error: an order book without a token', pathOf('get-order-book'), 'missing_parameter', 'token_id'),
  refusal(
    'error: a malformed token',
    pathOf('get-order-book', { token_id: '0x12' }),
    'invalid_parameter',
    'token_id',
  ),
  refusal(
    'error: an unknown interval',
    pathOf('get-prices-history', { token_id: NO_TOKEN, interval: '2d' }),
    'invalid_parameter',
    'interval',
  ),
  refusal(
    'error: a token without an order book',
    pathOf('get-order-book', { token_id: NO_TOKEN }),
    'no_order_book',
  ),
  refusal(
    'error: a malformed snapshot',
    pathOf('list-markets', { snapshot: 'abc' }),
    'invalid_parameter',
    'snapshot',
  ),
  refusal('error: a snapshot that is gone', pathOf('list-markets', { snapshot: GONE }), 'snapshot_gone'),
  refusal('error: an unknown path', '/api/no-such-path', 'not_found'),
  {
    name: 'error: another method, with what is allowed',
    run: async (deployment) => {
      for (const method of ['POST', 'DELETE']) {
        const { response } = await deployment.refused(pathOf('list-markets'), 'method_not_allowed', {
          method,
        });
        const allow = response.headers.get('allow');
        ensure(allow === ALLOWED_METHODS.join(', '), `Allow is ${allow} for ${method}`);
      }
      return ALLOWED_METHODS.join(', ');
    },
  },
  refusal('error: a body that is too large', pathOf('list-markets'), 'body_too_large', undefined, {
    method: 'POST',
    body: 'x'.repeat(MAX_BODY_CHARACTERS + 1),
  }),
]);

/** @param parameter that the sentence must name */
function refusal<const Name extends string>(
  name: Name,
  path: string,
  code: ErrorCode,
  parameter?: string,
  options?: CallOptions,
): Check<Name> {
  return {
    name,
    run: async (deployment) => {
      const { response, error } = await deployment.refused(path, code, options);
      const named = parameter === undefined || new RegExp(`\\b${parameter}\\b`).test(error);
      ensure(named, `does not name ${parameter}: ${error}`);
      return `${response.status} ${error}`;
    },
  };
}
