import { VERSION } from '../contract/version.ts';
import { getLlmsTxt } from '../endpoints/get-llms-txt.ts';
import { pipeline } from '../http/pipeline.ts';
import { JsonLog } from '../platform/log.ts';

export const handler = pipeline({
  route: 'get-llms-txt',
  logger: new JsonLog('get-llms-txt'),
  endpoint: getLlmsTxt(VERSION),
});
