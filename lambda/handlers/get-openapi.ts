import document from '../../docs/openapi.json' with { type: 'json' };
import { type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { getOpenApi } from '../app/documents/documents.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-openapi', () => getOpenApi(document));
