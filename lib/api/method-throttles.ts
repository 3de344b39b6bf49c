import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { ROUTES, type Route, type RouteName } from '../../lambda/core/contract/route-table.ts';
import { isPageRoute, methodsOf } from '../../lambda/core/contract/route-type.ts';
import type { Rate, Throttles } from '../config/stage-config.ts';

/**
 * GET or POST of each route that calls CLOB. For each route of CLOB, the bursts and the rates × 10 s of all methods that
 * call it add up to at most half of CLOB's limit for 10 s; a test compares them with docs/upstream.md.
 */
const LIVE: Partial<Record<RouteName, Rate>> = {
  'get-order-book': { ratePerSecond: 20, burst: 190 },
  'get-clob-book': { ratePerSecond: 5, burst: 30 },
  'list-order-books': { ratePerSecond: 15, burst: 60 },
  'get-prices-history': { ratePerSecond: 20, burst: 140 },
  'get-prices-histories': { ratePerSecond: 15, burst: 100 },
  mcp: { ratePerSecond: 8, burst: 60 },
};
const LIVE_HEAD: Rate = { ratePerSecond: 1, burst: 10 };
/** The share of the public plan that one method of the page may use. */
const PAGE_SHARE = 0.5;
/** Preflights need no key in a stage without an edge. One browser sends at most one in two hours for each address. */
const PREFLIGHT: Rate = { ratePerSecond: 5, burst: 50 };

/**
 * Detailed metrics stay off: they cost 0.30 USD a month each, five for each method. The metrics of the whole stage are
 * free.
 */
export function methodOptions({ ratePerSecond, burst }: Rate): MethodDeploymentOptions {
  return { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst, metricsEnabled: false };
}

/**
 * The methods of a route that have a throttle of their own, in the stage or in the public plan. API Gateway rejects
 * throttles of the method ANY.
 */
export function namedMethods(name: RouteName): readonly string[] {
  const route: Route = ROUTES[name];
  if (LIVE[name]) return methodsOf(route);
  // The viewer function lets these methods pass. The functions respond to POST with 405.
  return route.counted ? [] : ['GET', 'HEAD', 'POST'];
}

/** The throttles of single methods by `path/METHOD`. API Gateway rejects throttles of methods that do not exist. */
export function methodThrottles(
  names: readonly RouteName[],
  { publicPlan }: Throttles,
  hasPreflights: boolean,
): Readonly<Record<string, MethodDeploymentOptions>> {
  const page: Rate = {
    ratePerSecond: PAGE_SHARE * publicPlan.ratePerSecond,
    burst: Math.floor(PAGE_SHARE * publicPlan.burst),
  };
  const rateOf = (name: RouteName, method: string): Rate | undefined => {
    if (isPageRoute(ROUTES[name])) return page;
    return LIVE[name] && (method === 'HEAD' ? LIVE_HEAD : LIVE[name]);
  };
  const entries = names.flatMap((name) => {
    const methods = [
      ...namedMethods(name).map((method) => [method, rateOf(name, method)] as const),
      ...(hasPreflights ? [['OPTIONS', PREFLIGHT] as const] : []),
    ];
    return methods.flatMap(([method, rate]) =>
      rate ? [[`${ROUTES[name].path}/${method}`, methodOptions(rate)] as const] : [],
    );
  });
  return Object.fromEntries(entries);
}
