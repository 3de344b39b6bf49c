import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../endpoints/documents.ts';
import { pipeline } from '../http/pipeline.ts';
import { telemetry } from '../platform/telemetry.ts';
import type { CreateHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  pipeline({ route: 'get-openapi', ...telemetry('get-openapi', environment), endpoint: getOpenApi(document) });
