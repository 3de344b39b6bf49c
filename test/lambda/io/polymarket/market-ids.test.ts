import { describe, expect, it } from '@jest/globals';
import { readMarketIds } from '../../../../lambda/io/polymarket/market-ids.ts';

// A market trades by ids, one for each outcome. Markets of Polymarket's protocol v1 have them in
// the field `clobTokenIds` ("tokens"), those of v2 in `positionIds` ("positions"). `readMarketIds`
// returns the ids of the market's version, or the reason why the market cannot be listed. A third of
// v1 markets also have positions, but those cannot be traded.

/** Gamma sends a list as a list or as a JSON text. */
const TOKENS = '["111", "222"]';
const POSITIONS = ['3', '4'];

/** The ids of a market with two outcomes. */
const read = (record: Readonly<Record<string, unknown>>) => readMarketIds(record, 2);

describe('the ids of a market', () => {
  it.each([
    { version: 'v1', clobTokenIds: TOKENS, positionIds: POSITIONS },
    { clobTokenIds: TOKENS },
    { version: null, clobTokenIds: TOKENS, positionIds: null },
  ])('are its tokens if its version is v1, or if it has tokens only: %j', (record) => {
    expect(read(record)).toEqual({ version: 'v1', tokenIds: ['111', '222'] });
  });

  it.each([
    { version: 'v2', clobTokenIds: TOKENS, positionIds: POSITIONS },
    { version: 'v2', clobTokenIds: null, positionIds: '["3", "4"]' },
  ])('are its positions if its version is v2: %j', (record) => {
    expect(read(record)).toEqual({ version: 'v2', tokenIds: ['3', '4'] });
  });

  it.each([
    { version: 'x'.repeat(30), reported: 'x'.repeat(20) },
    { version: 'V1', reported: 'V1' },
    { version: '', reported: '' },
    { version: { toString: 1 }, reported: 'object' },
    { version: 3, reported: 'number' },
  ])('are unknown with the version $version, reported as $reported', ({ version, reported }) => {
    const record = { version, clobTokenIds: TOKENS };
    expect(read(record)).toEqual({ reason: 'version_unknown', version: reported });
  });

  it.each([
    { positionIds: POSITIONS },
    { clobTokenIds: TOKENS, positionIds: POSITIONS },
    { version: null, clobTokenIds: TOKENS, positionIds: [] },
  ])('are uncertain if it has positions but no version: %j', (record) => {
    expect(read(record)).toEqual({ reason: 'version_missing' });
  });

  // Polymarket publishes a new market before its ids.
  it.each([
    {},
    { version: 'v1', clobTokenIds: null, positionIds: POSITIONS },
    { version: 'v1', clobTokenIds: '' },
    { version: 'v2', clobTokenIds: TOKENS },
    { version: 'v2', positionIds: [] },
  ])('are pending if the field of its version is empty: %j', (record) => {
    expect(read(record)).toEqual({ reason: 'ids_pending' });
  });

  it.each([
    { version: 'v1', clobTokenIds: '["1"]' },
    { version: 'v2', positionIds: ['1', '2', '3'] },
  ])('must be as many as the outcomes: %j', (record) => {
    expect(read(record)).toEqual({ reason: 'ids_count' });
  });

  it.each([
    { clobTokenIds: '["1", "2"' },
    { clobTokenIds: '["1", 2]' },
    { clobTokenIds: '["1", "1"]' },
    { clobTokenIds: `["${2n ** 256n}", "2"]` },
  ])('must be a list of different numbers below 2^256, as texts: %j', (record) => {
    expect(read({ version: 'v1', ...record })).toEqual({ reason: 'ids_malformed' });
  });
});
