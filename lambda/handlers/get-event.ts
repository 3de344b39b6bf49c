import { type CreateHandler, countedHandler, snapshotDeps } from '../app/create-handler.ts';
import { getEvent } from '../app/events/events.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-event', (context) => getEvent(snapshotDeps(context)));
