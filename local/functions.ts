import type { Environment, FunctionName } from '../lambda/platform/environment.ts';
import { buildPageFiles } from '../packages/market-page/build.ts';

/** The handler of a function, as Lambda calls it. */
export type Handler = (event: never, context: never) => Promise<unknown>;

type Load = (environment: Environment) => Promise<Handler>;

/** Loads each function from its source. Each is imported when it is first needed, so that the service starts sooner. */
const LOADERS: Readonly<Record<Exclude<FunctionName, 'watch-front-door' | 'archive-snapshots'>, Load>> = {
  'refresh-snapshot': async (vars) => (await import('../lambda/handlers/refresh-snapshot.ts')).create(vars),
  'list-markets': async (vars) => (await import('../lambda/handlers/list-markets.ts')).create(vars),
  'search-markets': async (vars) => (await import('../lambda/handlers/search-markets.ts')).create(vars),
  'list-market-changes': async (vars) => (await import('../lambda/handlers/list-market-changes.ts')).create(vars),
  'get-market': async (vars) => (await import('../lambda/handlers/get-market.ts')).create(vars),
  'list-events': async (vars) => (await import('../lambda/handlers/list-events.ts')).create(vars),
  'get-event': async (vars) => (await import('../lambda/handlers/get-event.ts')).create(vars),
  'get-order-book': async (vars) => (await import('../lambda/handlers/get-order-book.ts')).create(vars),
  'list-order-books': async (vars) => (await import('../lambda/handlers/list-order-books.ts')).create(vars),
  'get-clob-book': async (vars) => (await import('../lambda/handlers/get-clob-book.ts')).create(vars),
  'get-prices-history': async (vars) => (await import('../lambda/handlers/get-prices-history.ts')).create(vars),
  'get-prices-histories': async (vars) => (await import('../lambda/handlers/get-prices-histories.ts')).create(vars),
  'list-tags': async (vars) => (await import('../lambda/handlers/list-tags.ts')).create(vars),
  'get-openapi': async (vars) => (await import('../lambda/handlers/get-openapi.ts')).create(vars),
  'get-llms-txt': async (vars) => (await import('../lambda/handlers/get-llms-txt.ts')).create(vars),
  mcp: async (vars) => (await import('../lambda/handlers/mcp.ts')).create(vars),
  'get-status': async (vars) => (await import('../lambda/handlers/get-status.ts')).create(vars),
  'get-page': async (vars) => (await import('../lambda/handlers/get-page.ts')).createFromFiles(buildPageFiles(), vars),
};

export type LocalFunctionName = keyof typeof LOADERS;
export const LOCAL_FUNCTIONS = Object.keys(LOADERS) as readonly LocalFunctionName[];

/** The functions of one service: each is loaded once. */
export function functionsOf(environment: Environment): (name: LocalFunctionName) => Promise<Handler> {
  const loaded = new Map<LocalFunctionName, Promise<Handler>>();
  return (name) => {
    const handler = loaded.get(name) ?? LOADERS[name](environment);
    loaded.set(name, handler);
    return handler;
  };
}
