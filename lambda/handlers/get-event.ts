import { getEvent } from '../endpoints/events/events.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create = limitedHandler('get-event', (context) => getEvent(snapshotDeps(context)));
