import type { CreateHandler } from '../app/create-handler.ts';
import { getLlmsTxt } from '../app/documents/documents.ts';
import { pipeline } from '../app/http/pipeline.ts';
import { telemetry } from '../io/platform/telemetry.ts';

export const create: CreateHandler = (environment) =>
  pipeline({ route: 'get-llms-txt', ...telemetry('get-llms-txt', environment), endpoint: getLlmsTxt() });
