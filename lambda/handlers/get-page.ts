import { readFileSync } from 'node:fs';
import { getPage, PAGE_ROUTE_NAMES, type PageFiles } from '../endpoints/get-page.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';

const settings = readEnvironment('get-page', process.env);
const { logger } = telemetry('get-page');
const files: PageFiles = JSON.parse(readFileSync(settings.PAGE_FILES, 'utf8'));

export const handler = byResource(PAGE_ROUTE_NAMES, (route) =>
  pipeline({ route, logger, endpoint: getPage(route, files) }),
);
