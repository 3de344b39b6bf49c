import { getLlmsTxt } from '../app/documents/documents.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';

export const create: CreateHandler = (environment) => limitedHandler(environment, 'get-llms-txt', () => getLlmsTxt());
