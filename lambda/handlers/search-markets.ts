import { searchMarkets } from '../app/markets/market-lists.ts';
import { SearchIndex } from '../core/search/search-index.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create = limitedHandler('search-markets', (context) =>
  searchMarkets(snapshotDeps(context, { searchIndex: new SearchIndex() })),
);
