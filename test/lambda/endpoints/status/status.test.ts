import { describe, expect, it } from '@jest/globals';
import {
  getStatus,
  type SnapshotStatusSource,
} from '../../../../lambda/endpoints/status/status.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { AS_OF, testManifest, testMarkets } from '../../../support/markets.ts';

/** The newest snapshot, of `AS_OF`. Its catalogue was read a minute before. */
const manifest: SnapshotManifest = {
  ...testManifest(testMarkets(3)),
  catalogueAsOf: AS_OF - 60_000,
  cataloguePricesAsOf: AS_OF - 350_000,
  memorySince: AS_OF - 86_400_000,
  counts: {
    skippedByReason: { end_date: 2, ids_pending: 3 },
    unknownVersions: ['v3'],
    withOneDayChange: 2,
    bySource: { book: 2, trade: 1, carried: 0, catalogue: 0, untraded: 0 },
  },
  previousId: '20261121T115900000Z-6b86b273',
};

/** Six of 100 prices do not come from CLOB, more than the 5 % of a healthy snapshot. */
const FALLBACKS: Partial<SnapshotManifest> = {
  fallbackSince: AS_OF - 120_000,
  counts: {
    ...manifest.counts,
    bySource: { book: 94, trade: 0, carried: 4, catalogue: 2, untraded: 0 },
  },
};
const settings = {
  SNAPSHOT_TABLE: '',
  SERVICE_VERSION: 'v1-3-gabc',
  REFRESH_INTERVAL_SECONDS: 120,
  SIMULATED: true,
};

async function status(snapshots: SnapshotStatusSource, now = AS_OF) {
  const endpoint = getStatus({ snapshots, settings, now: () => now });
  const response = await endpoint(endpointRequest('get-status', '/api/status'));
  return { ...response, json: JSON.parse(response.body) };
}

const published: SnapshotStatusSource = {
  current: async () => manifest,
  lastFailure: async () => {
    throw new Error('Read only while there is no snapshot');
  },
};

describe('GET /api/status', () => {
  it('describes the newest snapshot and what is deployed [sentence 1]', async () => {
    const { json, headers } = await status(published, AS_OF + 41_260);
    expect(json).toEqual({
      status: 'ok',
      asOf: '2026-11-21T12:00:00.000Z',
      catalogueAsOf: '2026-11-21T11:54:10.000Z',
      ageSeconds: 41.3,
      markets: 3,
      marketsWithOneDayChange: 2,
      marketsBySource: { book: 2, trade: 1, carried: 0, catalogue: 0, untraded: 0 },
      maxMarkets: 2_000,
      isCut: false,
      degradedSince: null,
      skipped: 5,
      skippedByReason: { end_date: 2, ids_pending: 3 },
      snapshot: manifest.id,
      previousSnapshot: manifest.previousId,
      memorySince: '2026-11-20T12:00:00.000Z',
      unknownVersions: ['v3'],
      freshForSeconds: 120,
      refreshIntervalSeconds: 120,
      version: 'v1-3-gabc',
      simulated: true,
    });
    expect(headers['Cache-Control']).toBe('no-store');
  });

  it.each<[string, Partial<SnapshotManifest>, RegExp, string]>([
    [
      'an old catalogue',
      { catalogueAsOf: AS_OF - 300_001 },
      /^The catalogue/,
      '2026-11-21T11:54:59.999Z',
    ],
    [
      'many prices that CLOB did not give',
      FALLBACKS,
      /^The order books of 6 markets/,
      '2026-11-21T11:58:00.000Z',
    ],
    [
      'a list that lacks markets',
      { missing: { since: AS_OF - 240_000, markets: 936, expected: 2_000 } },
      /^The list lacks 936 of the 2000 markets that it should have/,
      '2026-11-21T11:56:00.000Z',
    ],
  ])(
    'is degraded with %s, and says what that means and since when',
    async (_what, fields, reason, since) => {
      const degraded = { ...published, current: async () => ({ ...manifest, ...fields }) };
      const { json } = await status(degraded, AS_OF);
      expect(json).toMatchObject({ status: 'degraded', degradedSince: since });
      expect(json.reason).toMatch(reason);
      // A stale snapshot is worse than a degraded one.
      expect((await status(degraded, AS_OF + 121_000)).json).toMatchObject({
        status: 'stale',
        degradedSince: null,
      });
    },
  );

  it('is ok after one failed full run, and degraded during the second one in a row [sentence 35]', async () => {
    const statusAt = async (minutes: number) => {
      const current = async () => ({ ...manifest, catalogueAsOf: AS_OF - minutes * 60_000 });
      return (await status({ ...published, current }, AS_OF)).json.status;
    };
    expect(await statusAt(4)).toBe('ok');
    expect(await statusAt(4.9)).toBe('ok');
    expect(await statusAt(5.1)).toBe('degraded');
  });

  it.each([
    [120_000, 'ok', 120],
    [120_001, 'stale', 120],
    [3_600_000, 'stale', 3_600],
    [-10_000, 'ok', 0],
    [-3_600_000, 'stale', null],
  ])('%i ms after the prices is %s', async (after, expected, ageSeconds) => {
    expect((await status(published, AS_OF + after)).json).toMatchObject({
      status: expected,
      ageSeconds,
    });
  });

  it('without a snapshot is 200 empty, and says why', async () => {
    const current = async () => undefined;
    const first = await status({ current, lastFailure: current });
    expect(first.status).toBe(200);
    expect(first.json).toEqual({
      status: 'empty',
      reason: 'The first refresh has not finished yet.',
      asOf: null,
      catalogueAsOf: null,
      ageSeconds: null,
      memorySince: null,
      markets: null,
      marketsWithOneDayChange: null,
      marketsBySource: null,
      maxMarkets: null,
      isCut: null,
      skipped: null,
      skippedByReason: null,
      unknownVersions: null,
      degradedSince: null,
      snapshot: null,
      previousSnapshot: null,
      freshForSeconds: 120,
      refreshIntervalSeconds: 120,
      version: 'v1-3-gabc',
      simulated: true,
    });
    const failure = {
      since: AS_OF - 180_000,
      at: AS_OF - 1_000,
      reason: 'Gamma did not respond within 10 s.',
    };
    const failed = await status({ current, lastFailure: async () => failure });
    expect(failed.json.reason).toBe(
      'No refresh has succeeded since 2026-11-21T11:57:00.000Z. Report of 2026-11-21T11:59:59.000Z: Gamma did not respond within 10 s.',
    );
  });

  it.each<[string, SnapshotStatusSource]>([
    ['pointer', { ...published, current: () => Promise.reject(new Error('down')) }],
    ['failure', { ...published, current: async () => undefined }],
  ])('is 502 only when the table cannot be read (%s)', async (_, snapshots) => {
    await expect(status(snapshots)).rejects.toMatchObject({
      code: 'snapshot_missing',
      retryAfterSeconds: 5,
    });
  });
});
