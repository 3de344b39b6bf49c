/** The route table: all endpoints by name, and the functions that serve them. */
import { CLOB_ROUTES } from './route-table/clob-routes.ts';
import { MARKET_ROUTES } from './route-table/market-routes.ts';
import { SERVICE_ROUTES, SITE_ROUTES } from './route-table/service-routes.ts';
import { isPageRoute, type Route } from './route-type.ts';

export type { Route } from './route-type.ts';

/**
 * The HTTP API as data: CDK, parsing, API document, local server and tests derive from it. A new
 * endpoint needs a row here, a use case in `lambda/endpoints`, a handler of its name and its
 * environment.
 */
export const ROUTES = {
  ...MARKET_ROUTES,
  ...CLOB_ROUTES,
  ...SERVICE_ROUTES,
  ...SITE_ROUTES,
} as const satisfies Record<string, Route>;

/** The name of an endpoint, such as `get-docs`. */
export type RouteName = keyof typeof ROUTES;

/**
 * The name of a function that serves requests, and of its handler file. It is the name of an
 * endpoint, unless the row of that endpoint names another function: so `get-docs` is none.
 */
export type ReadFunctionName = {
  [R in RouteName]: (typeof ROUTES)[R] extends { readonly function: RouteName } ? never : R;
}[RouteName];

/** The function that serves an endpoint: `get-page` for `get-docs`. */
export function functionOf(route: RouteName): ReadFunctionName {
  const row: Route = ROUTES[route];
  return (row.function ?? route) as ReadFunctionName;
}

/** The endpoints that each function serves: `get-page` serves `get-page`, `get-docs` and others. */
export const ROUTES_BY_FUNCTION: ReadonlyMap<ReadFunctionName, readonly RouteName[]> = Map.groupBy(
  Object.keys(ROUTES) as RouteName[],
  functionOf,
);

/**
 * The endpoints of the API document: all except the page, and the MCP endpoint, whose tools
 * describe themselves.
 */
export const DOCUMENTED_ROUTES: Readonly<Partial<Record<RouteName, Route>>> = Object.fromEntries(
  Object.entries<Route>(ROUTES).filter(([name, route]) => !isPageRoute(route) && name !== 'mcp'),
);
