import document from '../../docs/openapi.json' with { type: 'json' };
import type { CreateHandler } from '../app/create-handler.ts';
import { getOpenApi } from '../app/documents/documents.ts';
import { pipeline } from '../app/http/pipeline.ts';
import { telemetry } from '../io/platform/telemetry.ts';

export const create: CreateHandler = (environment) =>
  pipeline({ route: 'get-openapi', ...telemetry('get-openapi', environment), endpoint: getOpenApi(document) });
