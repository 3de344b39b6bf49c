import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import { methodsOf } from '../../lambda/contract/route.ts';
import { ROUTES, type RouteName } from '../../lambda/contract/routes.ts';
import type { Rate } from '../config/stages.ts';

/** Preflights a second that the API responds to, all endpoints together: they bear no key, and are paid for. */
const PREFLIGHTS_PER_SECOND = 100;
const PREFLIGHT_BURST = 50;

/**
 * Without the detailed metrics, which cost 0.30 USD a month each, five a method: those of the stage as a whole come for
 * nothing and are what alarms and dashboard read.
 */
export function settingsOf({ ratePerSecond, burst }: Rate): MethodDeploymentOptions {
  return { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst, metricsEnabled: false };
}

/**
 * The throttles of single methods, by `path/METHOD`. API Gateway refuses settings of a method that the API does not
 * have.
 *
 * @param routes those that are deployed
 * @param live of each method of an endpoint of which every request may become one to the upstream
 */
export function methodSettings(
  routes: readonly RouteName[],
  live: Rate,
): Readonly<Record<string, MethodDeploymentOptions>> {
  const preflight: Rate = {
    ratePerSecond: Math.floor(PREFLIGHTS_PER_SECOND / routes.length),
    burst: PREFLIGHT_BURST,
  };
  const entriesOf = (route: RouteName, methods: readonly string[], rate: Rate) =>
    methods.map((method) => [`${ROUTES[route].path}/${method}`, settingsOf(rate)] as const);
  return Object.fromEntries([
    ...routes
      .filter((route) => ROUTES[route].source === 'clob')
      .flatMap((route) => entriesOf(route, methodsOf(ROUTES[route]), live)),
    ...routes.flatMap((route) => entriesOf(route, ['OPTIONS'], preflight)),
  ]);
}
