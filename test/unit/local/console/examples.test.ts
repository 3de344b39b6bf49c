import { expect, it } from '@jest/globals';
import { examples } from '../../../../local/console/examples.ts';
import type { LocalService } from '../../../../local/local-service.ts';

const serviceOf = (...paths: string[]) =>
  ({
    url: 'http://127.0.0.1:3000',
    api: { methods: paths.map((path) => ({ resource: { path } })) },
  }) as unknown as LocalService;
const listed = { market: 'a-market', event: 'an-event', token: '123', snapshot: 'newest' };

it.each([
  ['/api/clob/order-book', '/api/clob/order-book?token_id=123'],
  ['/api/clob/order-books', '/api/clob/order-books?token_id=123'],
  ['/api/clob/price', '/api/clob/price?token_id=123&side=BUY'],
  ['/api/markets/{id}', '/api/markets/a-market'],
  ['/api/events/{slug}', '/api/events/an-event'],
  ['/api/markets/changes', '/api/markets/changes?since=newest'],
  ['/api/markets', '/api/markets?limit=100'],
  ['/api/status', '/api/status'],
])('the example of %s is %s', (path, expected) => {
  expect(examples(serviceOf(path), listed)).toEqual([`  curl 'http://127.0.0.1:3000${expected}'`]);
});

it('the examples say what to put in where nothing is listed', () => {
  expect(examples(serviceOf('/api/clob/order-book'))).toEqual([
    expect.stringContaining('=<clobTokenId of a market>'),
  ]);
});
