import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../endpoints/site/documents.ts';
import { limitedHandler } from './wiring/limited.ts';

export const create = limitedHandler('get-openapi', () => getOpenApi(document));
