import { getEvent } from '../endpoints/events/events.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

/** Makes the handler that returns one event with its markets, from the newest snapshot. */
export const create = limitedHandler('get-event', (context) => getEvent(snapshotDeps(context)));
