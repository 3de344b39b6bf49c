import { REQUESTS_PER_MINUTE } from '../../../lambda/contract/constants.ts';
import type { Market } from '../../../lambda/domain/market.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { HttpResponse } from '../client.ts';

const POLICY = `"per-ip";q=${REQUESTS_PER_MINUTE};w=60`;
/** Three, since a request of a minute ago may fall out of the window between two of them. */
const COUNTED = 3;

/** The limit of every anonymous caller, as its headers tell it; the limit itself is not used up. */
export const LIMIT_CHECKS = checks([
  {
    name: 'limits: the policy is told',
    run: async (deployment) => {
      const { response } = await deployment.firstPage();
      const policy = response.headers.get('ratelimit-policy');
      ensure(policy === POLICY, `RateLimit-Policy is ${policy} instead of ${POLICY}`);
      const { left, seconds } = leftOf(response);
      ensure(left >= 0 && left < REQUESTS_PER_MINUTE, `${left} of ${REQUESTS_PER_MINUTE} requests left`);
      ensure(seconds >= 0 && seconds <= 60, `${seconds} s until more are left`);
      return policy;
    },
  },
  {
    name: 'limits: requests are counted',
    run: async (deployment) => {
      const left: number[] = [];
      for (let n = 0; n < COUNTED; n++) {
        left.push(leftOf((await deployment.get<Market[]>('list-markets', { limit: '1' })).response).left);
      }
      ensure((left.at(-1) ?? 0) < (left[0] ?? 0), `requests left: ${left.join(', ')}`);
      return `left: ${left.join(', ')}`;
    },
  },
  {
    name: 'limits: the status is free',
    run: async (deployment) => {
      const { response } = await deployment.get('get-status');
      ensure(response.headers.get('ratelimit') === null, 'the status is counted');
      return 'not counted';
    },
  },
]);

function leftOf(response: HttpResponse): { left: number; seconds: number } {
  const header = response.headers.get('ratelimit') ?? '';
  const [, left, seconds] = /^"per-ip";r=(\d+);t=(\d+)$/.exec(header) ?? [];
  ensure(left !== undefined && seconds !== undefined, `RateLimit is "${header}"`);
  return { left: Number(left), seconds: Number(seconds) };
}
