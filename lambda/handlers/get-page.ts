import { readFileSync } from 'node:fs';
import { type CreateHandler, lazySnapshotDeps } from '../app/create-handler.ts';
import { getPage, PAGE_ROUTE_NAMES, withSite } from '../app/documents/page-files.ts';
import { getSharePage, SHARE_PAGE_ROUTE_NAMES, type SharePageRoute } from '../app/documents/share-pages.ts';
import { byResource, pipeline } from '../app/http/pipeline.ts';
import { readEnvironment } from '../io/platform/environment.ts';
import { telemetry } from '../io/platform/telemetry.ts';

export const create: CreateHandler = (environment) => {
  const settings = readEnvironment('get-page', environment);
  const files = withSite(JSON.parse(readFileSync(settings.PAGE_FILES, 'utf8')), settings.SITE_URL);
  const { logger } = telemetry('get-page', environment);
  const deps = lazySnapshotDeps({ environment, settings, logger });
  const isShared = (route: string): route is SharePageRoute => SHARE_PAGE_ROUTE_NAMES.some((name) => name === route);
  return byResource([...PAGE_ROUTE_NAMES, ...SHARE_PAGE_ROUTE_NAMES], (route) =>
    isShared(route)
      ? pipeline({ route, logger, endpoint: getSharePage(route, files, settings.SITE_URL, deps) })
      : pipeline({ route, logger, endpoint: getPage(route, files) }),
  );
};
