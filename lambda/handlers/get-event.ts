import { getEvent } from '../endpoints/list-events.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-event', (context) => getEvent(snapshotDeps(context)));
