import { getLlmsTxt } from '../extras/site/documents.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';

export const create: CreateHandler = (environment) => limitedHandler(environment, 'get-llms-txt', () => getLlmsTxt());
