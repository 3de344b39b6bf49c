import { listTags } from '../endpoints/markets/tags.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create = limitedHandler('list-tags', (context) => listTags(snapshotDeps(context)));
