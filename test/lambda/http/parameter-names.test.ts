// The service ignores unknown query parameters, except names that are surely a mistake: typos, and
// the names of other endpoints or of Polymarket's own API. `rejectWrongNames` rejects them with
// advice.

import { describe, expect, it } from '@jest/globals';
import { ROUTES, type Route, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { rejectWrongNames } from '../../../lambda/http/parameter-names.ts';

const reject = (route: RouteName, ...names: readonly string[]) =>
  rejectWrongNames(ROUTES[route], names);
/** The error for a name, with its advice. */
const rejection = (name: string, advice: string) =>
  expect.objectContaining({
    code: 'unknown_parameter',
    message: `This endpoint has no parameter ${name}: ${advice}`,
  });

describe('rejectWrongNames rejects', () => {
  it.each<[route: RouteName, sent: string, meant: string]>([
    ['list-markets', 'min_volume', 'minVolume'],
    ['list-markets', 'minVolme24', 'minVolume24h'],
    ['list-markets', 'limmit', 'limit'],
    ['list-markets', 'lamit', 'limit'],
    ['list-markets', 'Tag[]', 'tag'],
    ['list-markets', 'idss', 'ids'],
    ['search-markets', 'Q', 'q'],
    ['get-order-book', 'tokenid', 'token_id'],
    ['get-prices-history', 'start_ts', 'startTs'],
  ])('for %s the name %s, which is nearly %s', (route, sent, meant) => {
    expect(() => reject(route, sent)).toThrow(rejection(sent, `did you mean ${meant}?`));
  });

  it.each<[route: RouteName, sent: string, owners: string]>([
    ['list-events', 'minMove1d', '/api/markets and /api/markets/search'],
    ['list-events', 'fields', '/api/markets, /api/markets/search, and /api/events/{slug}'],
    ['list-markets', 'depth', '/api/clob/order-book and /api/clob/order-books'],
  ])('for %s the name %s, which another endpoint has', (route, sent, owners) => {
    expect(() => reject(route, sent)).toThrow(rejection(sent, `it belongs to ${owners}.`));
  });

  it.each<[route: RouteName, sent: string, advice: string]>([
    ['list-markets', 'slug', 'use ids.'],
    ['list-markets', 'conditionIds', 'use ids.'],
    ['list-markets', 'clob_token_ids', 'use ids.'],
    [
      'list-markets',
      'closed',
      'the list has open markets only; /api/markets/{id} also returns one that is closed.',
    ],
    ['list-markets', 'tags', 'use tag, with slugs from /api/tags.'],
    ['list-markets', 'volume_num_min', 'use minVolume.'],
    ['list-markets', 'end_date_max', 'use endsBefore.'],
    ['list-markets', 'page', 'use offset.'],
    ['list-markets', 'q', 'use /api/markets/search.'],
    ['search-markets', 'query', 'did you mean q?'],
    ['list-events', 'slug', 'use /api/events/{slug}.'],
    ['get-event', 'offset', 'use /api/markets with event={slug}.'],
    ['get-order-book', 'limit', 'use depth.'],
    ['get-prices-history', 'since', 'use startTs.'],
    [
      'get-prices-histories',
      'endTs',
      'use interval, or read the window of each token at /api/clob/prices-history.',
    ],
  ])('for %s the name %s of another API or endpoint', (route, sent, advice) => {
    expect(() => reject(route, sent)).toThrow(rejection(sent, advice));
  });
});

describe('rejectWrongNames accepts', () => {
  // Callers add such names against caches, and to count visits.
  const unrelated = '_ t tg ts cb v nocache utm_source gclid __proto__ toString';
  it.each(unrelated.split(' '))('the unrelated name %s', (name) => {
    for (const route of Object.keys(ROUTES)) reject(route as RouteName, name);
  });

  it('every name of every route, even if it is nearly another one', () => {
    for (const [route, { parameters }] of Object.entries<Route>(ROUTES)) {
      const names = Object.entries(parameters).flatMap(([name, { aliases = [] }]) => [
        name,
        ...aliases,
      ]);
      expect(() => reject(route as RouteName, ...names)).not.toThrow();
    }
  });

  it('any name for an endpoint without parameters', () => {
    expect(() => reject('get-market', 'fields', 'closed')).not.toThrow();
    expect(() => reject('get-market-page', 'sort', 'q')).not.toThrow();
  });
});
