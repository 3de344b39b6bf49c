import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from '../../local/simulator/index.ts';
import { eventually, type Row, startTestService, type TestService } from './support.ts';

let service: TestService;
let ahead = 0;
let markets: readonly Row[];
beforeAll(async () => {
  service = await startTestService({ markets: 300, now: () => Date.now() + ahead });
  markets = await service.list('/api/markets?limit=300&fields=all');
});
afterEach(() => service.simulator.clearFaults());
afterAll(() => service.stop());

/** Runs end early, so that a run whose calls fail does not retry for two minutes. */
const MAX_RUN_MS = 10_000;

const status = async (): Promise<Row> => (await service.get('/api/status')).json as Row;
const known = (rows: readonly Row[], field: string): number =>
  rows.filter((row) => row[field] !== null && row[field] !== undefined).length;

/** Each row: upstream misbehaves during one run, and readers notice nothing. */
const RUNS: readonly (readonly [what: string, kind: 'full' | 'prices', fault: FaultSpec])[] = [
  ['the catalogue responds with 500', 'full', { route: 'gamma', kind: 'status' }],
  ['the catalogue is HTML', 'full', { route: 'gamma', kind: 'html' }],
  ['the catalogue is half a JSON', 'full', { route: 'gamma', kind: 'truncate' }],
  ['the cursor loops', 'full', { route: 'gamma', kind: 'loop-cursor' }],
  ['pages repeat markets', 'full', { route: 'gamma', kind: 'duplicates' }],
  ['pages lack markets', 'full', { route: 'gamma', kind: 'missing', share: 0.1 }],
  ['every connection breaks once', 'full', { route: '*', kind: 'reset-body', times: 2 }],
  ['the catalogue fails between full runs', 'prices', { route: 'gamma', kind: 'status' }],
  ['prices are empty once', 'prices', { route: 'prices', kind: 'empty', times: 1 }],
  ['a tenth of the books is empty', 'prices', { route: 'prices', kind: 'prices-missing', share: 0.1 }],
  ['all last trades fail', 'prices', { route: 'last-trades-prices', kind: 'status' }],
  ['all histories fail', 'full', { route: 'batch-prices-history', kind: 'status' }],
];

describe('a run while upstream misbehaves', () => {
  it.each(RUNS)('keeps markets, prices and changes when %s', async (_, kind, fault) => {
    ahead += 60_000;
    const before = (await status()).snapshot;
    service.simulator.addFault(fault);
    const succeeded = await service.refresh(kind, MAX_RUN_MS).then(
      () => true,
      () => false,
    );
    const { snapshot } = await eventually(async () => {
      const now = await status();
      if (succeeded && now.snapshot === before) throw new Error('The status is that of an older run');
      return now;
    });
    const { status: code, json } = await service.get(`/api/markets?limit=300&snapshot=${snapshot}`);
    const rows = json as Row[];

    expect(code).toBe(200);
    expect(rows.length).toBeGreaterThan(markets.length * 0.85);
    expect(known(rows, 'currentProbability')).toBe(rows.length);
    expect(known(rows, 'oneDayPriceChange')).toBeGreaterThan(known(markets, 'oneDayPriceChange') * 0.8);
    expect((await status()).status).toBe('ok');
  });

  it('skips and counts records that it cannot read', async () => {
    service.simulator.addFault({ route: 'gamma', kind: 'broken-markets', share: 0.2 });
    await service.refresh('full');
    const after = await eventually(async () => {
      const now = await status();
      if (Number(now.skipped) < 20) throw new Error('The status is that of an older run');
      return now;
    });

    expect(after).toMatchObject({ status: 'ok', unknownVersions: expect.arrayContaining(['v9']) });
  });

  it('stays within half of what upstream allows an address', async () => {
    service.simulator.clearCalls();
    await service.refresh('full');
    const calls = service.simulator.calls();

    expect(calls['markets-keyset']?.mostIn10Seconds).toBeLessThanOrEqual(150);
    expect(calls.prices?.mostIn10Seconds).toBeLessThanOrEqual(250);
    expect(calls['v2-prices-history']?.mostIn10Seconds ?? 0).toBeLessThanOrEqual(100);
  });
});

/** Each row: a live endpoint while upstream misbehaves. A token is used once, since responses are kept for a while. */
const LIVE: readonly (readonly [what: string, faults: readonly FaultSpec[], path: string, status: number])[] = [
  ['a book that fails', [{ route: 'book', kind: 'status' }], '/api/clob/order-book?token_id=', 502],
  ['a book that hangs', [{ route: 'book', kind: 'hang' }], '/api/clob/book?token_id=', 502],
  ['a book that does not exist', [{ route: 'book', kind: 'status', status: 404 }], '/api/clob/midpoint?token_id=', 404],
  ['the book of another token', [{ route: 'book', kind: 'wrong-token' }], '/api/clob/spread?token_id=', 502],
  ['one broken connection', [{ route: 'book', kind: 'reset', times: 1 }], '/api/clob/tick-size?token_id=', 200],
  ['failing books', [{ route: 'books', kind: 'error-200' }], '/api/clob/order-books?token_id=', 502],
  ['failing CLOB histories', [{ route: 'clob', kind: 'status' }], '/api/clob/prices-history?token_id=', 200],
  ['histories that all fail', [{ route: '*', kind: 'status' }], '/api/clob/prices-history?token_id=', 502],
];

describe('a live endpoint', () => {
  it.each(LIVE)('with %s', async (what, faults, path, expected) => {
    const token = markets[100 + LIVE.findIndex(([name]) => name === what)]?.clobTokenId;
    for (const fault of faults) service.simulator.addFault(fault);
    const { status: code, json, headers } = await service.get(path + token);

    expect(code).toBe(expected);
    if (code === 502) {
      expect(json).toMatchObject({ code: 'upstream_unavailable' });
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});
