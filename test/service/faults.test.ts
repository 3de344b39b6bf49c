import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from '../../local/simulator/index.ts';
import { clock, type Row, startTestService } from './support.ts';

const service = await startTestService({ markets: 300 });
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
    clock.ahead += 60_000;
    const before = await service.newestId();
    const listed = (await service.list(`/api/markets?limit=300&snapshot=${before}`)).length;
    service.simulator.addFault(fault);
    const succeeded = await service.refresh(kind, MAX_RUN_MS).then(
      () => true,
      () => false,
    );
    const after = await service.newestId();
    const { status: code, json } = await service.get(`/api/markets?limit=300&snapshot=${after}`);
    const rows = json as Row[];

    if (succeeded) expect(after).not.toBe(before);
    expect(code).toBe(200);
    expect(rows.length).toBeGreaterThan(listed * 0.85);
    expect(known(rows, 'currentProbability')).toBe(rows.length);
    expect(known(rows, 'oneDayPriceChange')).toBeGreaterThan(listed * 0.75);
    // A tenth of the books is enough to be degraded, which callers are told.
    expect(['ok', 'degraded']).toContain((await status()).status);
  });

  it('skips and counts records that it cannot read', async () => {
    service.simulator.addFault({ route: 'gamma', kind: 'broken-markets', share: 0.2 });
    await service.refresh('full');
    clock.ahead += 5_000;
    const after = await status();

    expect(after.skipped).toBeGreaterThan(20);
    expect(after).toMatchObject({ status: 'ok', unknownVersions: expect.arrayContaining(['v9']) });
  });

  it('stays within half of what upstream allows an address', async () => {
    service.simulator.clearCalls();
    await service.refresh('full');
    const calls = service.simulator.calls();

    expect(calls['markets-keyset']?.maxIn10Seconds).toBeLessThanOrEqual(150);
    expect(calls.prices?.maxIn10Seconds).toBeLessThanOrEqual(250);
    expect(calls['v2-prices-history']?.maxIn10Seconds ?? 0).toBeLessThanOrEqual(100);
  });
});
