import { getLlmsTxt } from '../endpoints/documents.ts';
import { pipeline } from '../http/pipeline.ts';
import { telemetry } from '../platform/telemetry.ts';

const { logger } = telemetry('get-llms-txt');

export const handler = pipeline({ route: 'get-llms-txt', logger, endpoint: getLlmsTxt() });
