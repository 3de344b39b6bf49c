import type { Route } from './route.ts';
import { AGENT_ROUTES } from './routes/agent-routes.ts';
import { CLOB_ROUTES } from './routes/clob-routes.ts';
import { EVENT_ROUTES } from './routes/event-routes.ts';
import { MARKET_ROUTES } from './routes/market-routes.ts';
import { SERVICE_ROUTES } from './routes/service-routes.ts';
import { UPSTREAM_ROUTES } from './routes/upstream-routes.ts';

export type { Route } from './route.ts';

/**
 * The HTTP surface as data (design 2). The CDK routes and functions, the parsing of parameters, the API document, the
 * sources of metrics and the tests derive from this table. A new endpoint is a new row, a handler of the same name,
 * its use case in `endpoints/` and its environment.
 */
export const ROUTES = {
  ...MARKET_ROUTES,
  ...EVENT_ROUTES,
  ...CLOB_ROUTES,
  ...UPSTREAM_ROUTES,
  ...SERVICE_ROUTES,
  ...AGENT_ROUTES,
} as const satisfies Record<string, Route>;

/** An endpoint's name: that of its row here, and of its function and handler file unless the row names another. */
export type RouteName = keyof typeof ROUTES;

type FunctionOf<R extends RouteName> = R extends RouteName
  ? (typeof ROUTES)[R] extends { readonly function: infer F }
    ? F
    : R
  : never;

/** A function that responds to requests, named after its handler file. */
export type ReadFunctionName = FunctionOf<RouteName>;

/** The function behind an endpoint. */
export function functionOf(route: RouteName): ReadFunctionName {
  const row: Route = ROUTES[route];
  return (row.function ?? route) as ReadFunctionName;
}

/** All endpoints of each function, in the order of the table. */
export const ROUTES_BY_FUNCTION: ReadonlyMap<ReadFunctionName, readonly RouteName[]> = Map.groupBy(
  Object.keys(ROUTES) as RouteName[],
  functionOf,
);

/** The functions of the endpoints that the row test picks. */
export function functionsWhere(test: (route: Route) => boolean): ReadFunctionName[] {
  return [...ROUTES_BY_FUNCTION].flatMap(([name, routes]) =>
    routes.some((route) => test(ROUTES[route])) ? [name] : [],
  );
}

/** The endpoints that are read with GET: all but the one that agents call. */
export const GET_ROUTES: readonly RouteName[] = (Object.keys(ROUTES) as RouteName[]).filter(
  (route) => (ROUTES[route] as Route).method !== 'POST',
);

/** An endpoint's path with its segments filled in, as the examples of the table say. */
export function examplePath(route: RouteName): string {
  const { path, parameters }: Route = ROUTES[route];
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name]?.example ?? name);
}
