// GET /api/status describes the newest snapshot. Its status is `ok`, `degraded` (some data is
// missing or old), `stale` (prices are older than 120 s) or `empty` (no snapshot yet).

import { describe, expect, it } from '@jest/globals';
import {
  getStatus,
  type SnapshotStatusSource,
} from '../../../../lambda/endpoints/status/status.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { AS_OF, testManifest, testMarkets } from '../../../support/markets.ts';

/** The newest snapshot, of 12:00. Its catalogue was read a minute before. */
const manifest: SnapshotManifest = {
  ...testManifest(testMarkets(3)),
  catalogueAsOf: AS_OF - 60_000,
  cataloguePricesAsOf: AS_OF - 350_000,
  memorySince: AS_OF - 86_400_000,
  counts: {
    skippedByReason: { end_date: 2, ids_pending: 3 },
    unknownVersions: ['v3'],
    withOneDayChange: 2,
    withSevenDayChange: 1,
    withThirtyDayChange: 0,
    bySource: { book: 2, trade: 1, carried: 0, catalogue: 0, untraded: 0 },
  },
  previousId: '20261121T115900000Z-6b86b273',
};

const settings = {
  SNAPSHOT_TABLE: '',
  SERVICE_VERSION: 'v1-3-gabc',
  REFRESH_INTERVAL_SECONDS: 120,
  SIMULATED: true,
};

/** The response of the endpoint. @param now when it is called */
async function status(snapshots: SnapshotStatusSource, now = AS_OF) {
  const endpoint = getStatus({ snapshots, settings, now: () => now });
  const response = await endpoint(endpointRequest('get-status', '/api/status'));
  return { ...response, json: JSON.parse(response.body) };
}

/** A table whose newest snapshot is the manifest with other fields. */
const published = (fields: Partial<SnapshotManifest> = {}): SnapshotStatusSource => ({
  current: async () => ({ ...manifest, ...fields }),
  lastFailure: async () => {
    throw new Error('Read only while there is no snapshot');
  },
});
/** A table without a snapshot. */
const empty: SnapshotStatusSource = {
  current: async () => undefined,
  lastFailure: async () => undefined,
};

describe('GET /api/status', () => {
  it('describes the newest snapshot and what is deployed [sentence 1]', async () => {
    const { json, headers } = await status(published(), AS_OF + 41_260);
    expect(json).toEqual({
      status: 'ok',
      asOf: '2026-11-21T12:00:00.000Z',
      catalogueAsOf: '2026-11-21T11:54:10.000Z',
      ageSeconds: 41.3,
      markets: 3,
      marketsWithOneDayChange: 2,
      marketsWithSevenDayChange: 1,
      marketsWithThirtyDayChange: 0,
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

  const sixFallbacks = { book: 94, trade: 0, carried: 4, catalogue: 2, untraded: 0 };
  it.each<{ why: string; fields: Partial<SnapshotManifest>; reason: string; since: string }>([
    {
      why: 'the catalogue is older than five minutes',
      fields: { catalogueAsOf: AS_OF - 300_001 },
      reason: 'The catalogue',
      since: '2026-11-21T11:54:59.999Z',
    },
    {
      why: 'more than 5 % of the prices do not come from CLOB',
      fields: {
        fallbackSince: AS_OF - 120_000,
        counts: { ...manifest.counts, bySource: sixFallbacks },
      },
      reason: 'The order books of 6 markets',
      since: '2026-11-21T11:58:00.000Z',
    },
    {
      why: 'the list lacks markets',
      fields: { missing: { since: AS_OF - 240_000, markets: 936, expected: 2_000 } },
      reason: 'The list lacks 936 of the 2000 markets that it should have',
      since: '2026-11-21T11:56:00.000Z',
    },
  ])('is degraded if $why, with the reason and the start', async ({ fields, reason, since }) => {
    const { json } = await status(published(fields));
    expect(json).toMatchObject({ status: 'degraded', degradedSince: since });
    expect(json.reason).toContain(reason);
  });

  it('is stale, which is worse, if a degraded snapshot is too old', async () => {
    const degraded = published({ catalogueAsOf: AS_OF - 300_001 });
    const { json } = await status(degraded, AS_OF + 121_000);
    expect(json).toMatchObject({ status: 'stale', degradedSince: null });
  });

  // A full run reads the catalogue every two minutes.
  it.each([
    [4.9, 'ok', 'after one failed full run'],
    [5.1, 'degraded', 'during the second failed run in a row'],
  ])('with a catalogue of %d minutes is %s: %s [sentence 35]', async (minutes, expected) => {
    const snapshots = published({ catalogueAsOf: AS_OF - minutes * 60_000 });
    expect((await status(snapshots)).json.status).toBe(expected);
  });

  it.each([
    [120_000, 'ok', 120],
    [120_001, 'stale', 120],
    [3_600_000, 'stale', 3_600],
    // Prices of the future: the clock of the refresher can be ahead, but not by an hour.
    [-10_000, 'ok', 0],
    [-3_600_000, 'stale', null],
  ])('%i ms after the prices is %s with the age %p s', async (ms, expected, ageSeconds) => {
    const { json } = await status(published(), AS_OF + ms);
    expect(json).toMatchObject({ status: expected, ageSeconds });
  });

  it('is empty with status 200 while there is no snapshot', async () => {
    const response = await status(empty);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      status: 'empty',
      reason: 'The first refresh has not finished yet.',
      asOf: null,
      catalogueAsOf: null,
      ageSeconds: null,
      memorySince: null,
      markets: null,
      marketsWithOneDayChange: null,
      marketsWithSevenDayChange: null,
      marketsWithThirtyDayChange: null,
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
  });

  it('names the last failure while there is no snapshot', async () => {
    const reason = 'Gamma did not respond within 10 s.';
    const failure = { since: AS_OF - 180_000, at: AS_OF - 1_000, reason };
    const { json } = await status({ ...empty, lastFailure: async () => failure });
    expect(json.reason).toBe(
      `No refresh has succeeded since 2026-11-21T11:57:00.000Z. Report of 2026-11-21T11:59:59.000Z: ${reason}`,
    );
  });

  it.each<[string, SnapshotStatusSource]>([
    ['snapshot', { ...empty, current: () => Promise.reject(new Error('down')) }],
    ['failure', { ...empty, lastFailure: () => Promise.reject(new Error('down')) }],
  ])('is a 502 if the table cannot be read for the newest %s', async (_item, snapshots) => {
    await expect(status(snapshots)).rejects.toMatchObject({
      code: 'snapshot_missing',
      retryAfterSeconds: 5,
    });
  });
});
