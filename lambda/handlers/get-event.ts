import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { getEvent } from '../app/events/events.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-event', (context) => getEvent(snapshotDeps(context)));
