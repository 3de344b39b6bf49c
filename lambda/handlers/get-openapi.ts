import { openApiDocument } from '../contract/openapi.ts';
import { VERSION } from '../contract/version.ts';
import { getOpenApi } from '../endpoints/get-openapi.ts';
import { pipeline } from '../http/pipeline.ts';
import { telemetry } from '../platform/telemetry.ts';

const { logger } = telemetry('get-openapi');

export const handler = pipeline({
  route: 'get-openapi',
  logger,
  endpoint: getOpenApi(JSON.stringify(openApiDocument(VERSION))),
});
