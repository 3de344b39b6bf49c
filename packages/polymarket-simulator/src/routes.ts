import { CLOB_ROUTES } from './clob/routes.ts';
import { DATA_ROUTES } from './data/routes.ts';
import { GAMMA_ROUTES } from './gamma/routes.ts';
import type { Route } from './route.ts';

const ALL = [...GAMMA_ROUTES, ...CLOB_ROUTES, ...DATA_ROUTES] as const;

export type RouteName = (typeof ALL)[number]['name'];
export const ROUTE_NAMES: readonly RouteName[] = ALL.map((route) => route.name);
export const ROUTES: readonly Route[] = ALL;

export interface FoundRoute {
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
}

const EXACT = new Map<string, readonly Route[]>();
const PATTERNS: { readonly route: Route; readonly pattern: RegExp }[] = [];
for (const route of ROUTES) {
  if (route.path.includes('{')) {
    const pattern = new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    PATTERNS.push({ route, pattern });
  } else {
    EXACT.set(route.path, [...(EXACT.get(route.path) ?? []), route]);
  }
}

/** The routes at a path, whatever their method. */
export function routesAt(pathname: string): readonly FoundRoute[] {
  const exact = EXACT.get(pathname);
  if (exact !== undefined) return exact.map((route) => ({ route, path: {} }));
  return PATTERNS.flatMap(({ route, pattern }) => {
    const found = pattern.exec(pathname);
    return found === null ? [] : [{ route, path: { ...found.groups } }];
  });
}
