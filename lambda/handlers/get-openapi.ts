import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../extras/site/documents.ts';
import { limitedHandler } from './wiring/limited.ts';

export const create = limitedHandler('get-openapi', () => getOpenApi(document));
