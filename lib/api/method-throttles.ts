import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { ROUTES, type Route, type RouteName } from '../../lambda/core/contract/route-table.ts';
import { isPageRoute, methodsOf } from '../../lambda/core/contract/route-type.ts';
import type { Rate, Throttles } from '../config/stage-config.ts';

/**
 * The routes that call CLOB. For each CLOB route, the bursts and the rates × 10 s of its callers add up to at most half
 * of CLOB's limit for 10 s (docs/upstream.md).
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
/** Share of the public plan, per method of the page. */
const PAGE_SHARE = 0.5;
/** Preflights need no key without an edge. A browser sends at most one per address in two hours. */
const PREFLIGHT: Rate = { ratePerSecond: 5, burst: 50 };

/** No detailed metrics: they cost 0.30 USD a month each, five per method. The stage's metrics are free. */
export function methodOptions({ ratePerSecond, burst }: Rate): MethodDeploymentOptions {
  return { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst, metricsEnabled: false };
}

/** Methods with their own throttle. API Gateway rejects throttles of ANY. */
export function namedMethods(name: RouteName): readonly string[] {
  const route: Route = ROUTES[name];
  if (LIVE[name]) return methodsOf(route);
  // The viewer function lets these pass. The functions respond to POST with 405.
  return route.limited ? [] : ['GET', 'HEAD', 'POST'];
}

/** By `path/METHOD`. API Gateway rejects throttles of methods that do not exist. */
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
