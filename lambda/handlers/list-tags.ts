import { listTags } from '../endpoints/markets/tags.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

/** Makes the handler that returns the tags of the listed markets, from the newest snapshot. */
export const create = limitedHandler('list-tags', (context) => listTags(snapshotDeps(context)));
