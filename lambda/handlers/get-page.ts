import { readFileSync } from 'node:fs';
import type { CreateHandler } from '../app/create-handler.ts';
import { getPage, PAGE_ROUTE_NAMES } from '../app/documents/page-files.ts';
import { byResource, pipeline } from '../app/http/pipeline.ts';
import { readEnvironment } from '../io/platform/environment.ts';
import { telemetry } from '../io/platform/telemetry.ts';

export const create: CreateHandler = (environment) => {
  const { PAGE_FILES } = readEnvironment('get-page', environment);
  const files = JSON.parse(readFileSync(PAGE_FILES, 'utf8'));
  const { logger } = telemetry('get-page', environment);
  return byResource(PAGE_ROUTE_NAMES, (route) => pipeline({ route, logger, endpoint: getPage(route, files) }));
};
