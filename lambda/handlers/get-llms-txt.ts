import { getLlmsTxt } from '../endpoints/documents.ts';
import { pipeline } from '../http/pipeline.ts';
import { telemetry } from '../platform/telemetry.ts';
import type { CreateHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  pipeline({ route: 'get-llms-txt', ...telemetry('get-llms-txt', environment), endpoint: getLlmsTxt() });
