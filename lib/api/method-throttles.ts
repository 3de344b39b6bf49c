import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { isPageRoute, methodsOf, type Route } from '../../lambda/core/contract/route-type.ts';
import type { Rate } from '../config/stage-config.ts';

/** Requests a second to the page's files, all callers and files together: they are the largest responses. */
export const PAGE_REQUESTS_PER_SECOND = 10;

/**
 * The throttle of each live route and method. It protects the upstream, whose limits docs/upstream.md lists. The burst
 * lets several callers use their whole limit at once.
 */
const LIVE: Rate = { ratePerSecond: 25, burst: 250 };
/** A page view loads one page and several files, so the files get the larger share. */
const PAGE_SHARE = 0.2;
const PAGE_BURST = 50;
/** Preflights need no key in a stage without an edge. One browser sends at most one in two hours for each address. */
const PREFLIGHT: Rate = { ratePerSecond: 5, burst: 50 };

/**
 * Detailed metrics stay off: they cost 0.30 USD a month each, five for each method. The metrics of the whole stage are
 * free.
 */
export function methodOptions({ ratePerSecond, burst }: Rate): MethodDeploymentOptions {
  return { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst, metricsEnabled: false };
}

/** The methods of a route that have a throttle of their own. API Gateway accepts throttles of named methods only. */
export function namedMethods(route: Route): readonly string[] {
  if (route.source === 'clob') return methodsOf(route);
  // The viewer function lets these methods pass. The function responds to POST with 405.
  return isPageRoute(route) ? ['GET', 'HEAD', 'POST'] : [];
}

/** The throttles of single methods by `path/METHOD`. API Gateway rejects throttles of methods that do not exist. */
export function methodThrottles(
  routes: readonly Route[],
  hasPreflights: boolean,
): Readonly<Record<string, MethodDeploymentOptions>> {
  const entries = routes.flatMap((route) => [
    ...namedMethods(route).map((method) => [`${route.path}/${method}`, rateOf(route)] as const),
    ...(hasPreflights ? [[`${route.path}/OPTIONS`, PREFLIGHT] as const] : []),
  ]);
  return Object.fromEntries(entries.map(([method, rate]) => [method, methodOptions(rate)]));
}

function rateOf({ source, path }: Route): Rate {
  if (source === 'clob') return LIVE;
  const share = path.includes('{') ? 1 - 2 * PAGE_SHARE : PAGE_SHARE;
  return { ratePerSecond: PAGE_REQUESTS_PER_SECOND * share, burst: PAGE_BURST };
}
