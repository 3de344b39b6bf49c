import { openApiText } from '../contract/openapi-text.ts';
import { getOpenApi } from '../endpoints/get-openapi.ts';
import { pipeline } from '../http/pipeline.ts';
import { JsonLog } from '../platform/log.ts';

export const handler = pipeline({
  route: 'get-openapi',
  logger: new JsonLog('get-openapi'),
  endpoint: getOpenApi(openApiText()),
});
