import { expect, it } from '@jest/globals';
import { listMarkets } from '../../../../lambda/endpoints/list-markets.ts';
import { MarketTable } from '../../../../lambda/query/market-table.ts';
import type { Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { marketRecord } from '../../../support/market-record.ts';

const MARKETS = 6;
const asOf = Date.parse('2026-11-21T12:00:00Z');

function listOf(table: MarketTable) {
  const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
  const manifest: Manifest = {
    id: '20261121T120000000Z-00000000',
    asOf,
    counts,
    markets: table.length,
    chunks: 1,
    checksum: '',
    expiresAt: 0,
  };
  const held = async () => ({ manifest, view: table });
  const rule = { freshSeconds: 120, staleIfErrorSeconds: 0 };
  const list = listMarkets({
    cache: { latest: held, byId: held },
    rule,
    now: () => asOf,
    edgeCache: false,
  });
  // As the tools for agents ask: with parameters that nobody has sent as a query.
  return async (parameters: object, headers: Record<string, string> = {}) => {
    const given = { limit: 500, offset: 0, ...parameters } as Parameters<typeof list>[0]['parameters'];
    return await list({ parameters: given, sent: {}, headers, path: '/api/markets' });
  };
}

it('a page that is remembered is told by its parameters and its format', async () => {
  const ask = listOf(new MarketTable(Array.from({ length: MARKETS }, (_, n) => marketRecord(n))));
  const all = await ask({});
  const bodies = [
    all,
    await ask({ limit: 2 }),
    await ask({ limit: 2, offset: 2 }),
    await ask({ fields: ['id'] }),
    await ask({}, { accept: 'text/csv' }),
    await ask({ endsBefore: { kind: 'after', milliseconds: 1 } }),
  ].map(({ body }) => body);
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(JSON.parse(all.body)).toHaveLength(MARKETS);
  expect(await ask({})).toEqual(all);
  expect(await ask({ snapshot: '20261121T120000000Z-00000000' })).toMatchObject({ body: all.body });
});
