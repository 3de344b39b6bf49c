import { getLlmsTxt } from '../endpoints/site/documents.ts';
import { limitedHandler } from './wiring/limited.ts';

export const create = limitedHandler('get-llms-txt', ({ settings }) =>
  getLlmsTxt(settings.SIMULATED),
);
