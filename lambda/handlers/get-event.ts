import { getEvent } from '../extras/events/events.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-event', (context) => getEvent(snapshotDeps(context)));
