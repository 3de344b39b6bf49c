import { readFileSync } from 'node:fs';
import { SITE_ENDPOINTS, type SiteRoute } from '../endpoints/site/site.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { readEnvironment } from '../io/platform/environment.ts';
import { telemetry } from '../io/platform/telemetry.ts';
import type { CreateHandler } from './wiring/limited.ts';
import { lazySnapshotDeps } from './wiring/snapshot.ts';

/**
 * Makes the handler of the market page, its files and `/docs`: one function for several routes. The
 * rate limit does not count these requests. Only a link to a market or event shows prices, so the
 * function loads the snapshot (all markets with their prices) when it needs it.
 */
export const create: CreateHandler = (environment) => {
  const settings = readEnvironment('get-page', environment);
  const { logger, metrics } = telemetry('get-page', environment);
  const { snapshots } = lazySnapshotDeps({ environment, settings, logger });
  const deps = {
    files: JSON.parse(readFileSync(settings.PAGE_FILES, 'utf8')),
    site: settings.SITE_URL,
    simulated: settings.SIMULATED,
    snapshots,
  };
  const callers = { frontDoor: settings.FRONT_DOOR, publicKeyIds: settings.PUBLIC_API_KEY_IDS };
  const handlerOf = <R extends SiteRoute>(route: R) => {
    const endpoint = SITE_ENDPOINTS[route](deps);
    return pipeline({ route, endpoint, callers, limiter: undefined, logger, metrics });
  };
  return byResource(Object.keys(SITE_ENDPOINTS) as SiteRoute[], handlerOf);
};
