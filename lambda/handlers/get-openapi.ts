import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../endpoints/documents.ts';
import { pipeline } from '../http/pipeline.ts';
import { telemetry } from '../platform/telemetry.ts';

const { logger } = telemetry('get-openapi');

export const handler = pipeline({ route: 'get-openapi', logger, endpoint: getOpenApi(document) });
