import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../endpoints/site/documents.ts';
import { limitedHandler } from './wiring/limited.ts';

/** Makes the handler that returns the OpenAPI document, which is part of the bundle. */
export const create = limitedHandler('get-openapi', () => getOpenApi(document));
