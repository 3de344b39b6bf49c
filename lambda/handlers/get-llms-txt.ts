import { type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { getLlmsTxt } from '../app/documents/documents.ts';

export const create: CreateHandler = (environment) => limitedHandler(environment, 'get-llms-txt', () => getLlmsTxt());
