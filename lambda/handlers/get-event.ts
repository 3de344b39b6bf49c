import { getEvent } from '../endpoints/list-events.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => snapshotHandler(environment, 'get-event', getEvent);
