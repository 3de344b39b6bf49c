import { searchMarkets } from '../app/markets/market-lists.ts';
import { SearchIndex } from '../core/search/search-index.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'search-markets', (context) =>
    searchMarkets(snapshotDeps(context, { searchIndex: new SearchIndex() })),
  );
