import { getLlmsTxt } from '../endpoints/site/documents.ts';
import { limitedHandler } from './wiring/limited.ts';

/** Makes the handler that returns the text that tells language models how to use the API. */
export const create = limitedHandler('get-llms-txt', ({ settings }) =>
  getLlmsTxt(settings.SIMULATED),
);
