import { readFileSync } from 'node:fs';
import { getPage, PAGE_ROUTE_NAMES, type PageFiles } from '../endpoints/get-page.ts';
import { byResource, type Handler, pipeline } from '../http/pipeline.ts';
import { type Environment, readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';
import type { CreateHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => {
  const { PAGE_FILES } = readEnvironment('get-page', environment);
  return createFromFiles(JSON.parse(readFileSync(PAGE_FILES, 'utf8')), environment);
};

/** The same for files in memory. */
export function createFromFiles(files: PageFiles, environment: Environment): Handler {
  const { logger } = telemetry('get-page', environment);
  return byResource(PAGE_ROUTE_NAMES, (route) => pipeline({ route, logger, endpoint: getPage(route, files) }));
}
