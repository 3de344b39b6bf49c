import { SearchIndex } from '../core/search/search-index.ts';
import { searchMarkets } from '../endpoints/markets/market-lists.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

/** Makes the handler of the full-text search, which reads the newest snapshot. */
export const create = limitedHandler('search-markets', (context) =>
  searchMarkets(snapshotDeps(context, { searchIndex: new SearchIndex() })),
);
