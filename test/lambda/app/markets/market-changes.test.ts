import { describe, expect, it } from '@jest/globals';
import { listMarketChanges } from '../../../../lambda/app/markets/market-changes.ts';
import type { MarketSnapshot } from '../../../../lambda/core/query/market-snapshot.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket } from '../../../support/markets.ts';

const [a, b, c] = [testMarket(0), testMarket(1), testMarket(2)];

/** @param latest as this container has it @param others that it can read by their ids */
function setUp(latest: MarketSnapshot, ...others: MarketSnapshot[]) {
  const endpoint = listMarketChanges(snapshotDeps(latest, ...others));
  return async (since: string) =>
    await endpoint(endpointRequest('list-market-changes', `/api/markets/changes?since=${since}`));
}

describe('GET /api/markets/changes', () => {
  const older = loadedSnapshot([a, b], AS_OF - 60_000);
  const newest = loadedSnapshot([{ ...a, currentProbability: 46 }, c], AS_OF);

  it('turns the older list into the newest one', async () => {
    const { body, headers } = await setUp(newest, older)(older.info.id);
    expect(JSON.parse(body)).toEqual({
      from: older.info.id,
      to: newest.info.id,
      asOf: '2026-11-21T12:00:00.000Z',
      added: [JSON.parse(newest.line(1))],
      changed: [{ id: a.id, currentProbability: 46 }],
      removed: [b.id],
    });
    expect(headers).toMatchObject({ 'X-Snapshot-Id': newest.info.id, 'Cache-Control': 'no-cache' });
  });

  it('never leads back from a newer snapshot of another container', async () => {
    const { body, headers } = await setUp(older, newest)(newest.info.id);
    expect(JSON.parse(body)).toMatchObject({ from: newest.info.id, to: newest.info.id, changed: [] });
    expect(headers['X-Snapshot-Id']).toBe(newest.info.id);
  });

  it('keeps the changes since different snapshots apart', async () => {
    const oldest = loadedSnapshot([], AS_OF - 120_000);
    const call = setUp(newest, older, oldest);
    expect(JSON.parse((await call(oldest.info.id)).body).added).toHaveLength(2);
    expect(JSON.parse((await call(older.info.id)).body).added).toHaveLength(1);
    expect(JSON.parse((await call(oldest.info.id)).body).added).toHaveLength(2);
  });

  it('is 410 when one response cannot hold all changes', async () => {
    const large = loadedSnapshot(
      Array.from({ length: 1_000 }, (_, n) => testMarket(n, { question: '"'.repeat(3_000) })),
      AS_OF,
    );
    await expect(setUp(large, older)(older.info.id)).rejects.toMatchObject({
      code: 'snapshot_gone',
      message: expect.stringContaining('do not fit into one response'),
    });
  });
});
