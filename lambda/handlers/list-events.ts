import { SearchIndex } from '../core/search/search-index.ts';
import { listEvents } from '../endpoints/events/events.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

/**
 * Makes the handler that returns events with their markets, from the newest snapshot. Links to other
 * pages name the snapshot that the caller began with, so the function keeps one older snapshot.
 */
export const create = limitedHandler('list-events', (context) =>
  listEvents(snapshotDeps(context, { searchIndex: new SearchIndex(), olderCacheSize: 1 })),
);
