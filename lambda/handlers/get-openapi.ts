import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../extras/site/documents.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-openapi', () => getOpenApi(document));
