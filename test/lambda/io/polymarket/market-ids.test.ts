import { describe, expect, it } from '@jest/globals';
import { readMarketIds } from '../../../../lambda/io/polymarket/market-ids.ts';

// A market trades by ids, one for each outcome. Markets of Polymarket's protocol v1 have them in
// the field `clobTokenIds` ("tokens"), those of v2 in `positionIds` ("positions"). `readMarketIds`
// returns the ids of the market's version, or why the market cannot be listed.

/**
 * A condition of Protocol V2, and the position ids that follow from it: the condition id and one
 * more byte, the number of the outcome.
 */
const CONDITION = `0x01${'ab'.repeat(16)}${'00'.repeat(14)}`;
const IMPLIED = [0n, 1n].map((outcome) => String((BigInt(CONDITION) << 8n) + outcome));

/** Upstream sends a list as a list or as a JSON text. */
const TOKENS = '["111", "222"]';
/** A third of v1 markets have both fields; their positions have no book. */
const BOTH = { clobTokenIds: TOKENS, positionIds: ['3', '4'] };

/** The ids of a market with two outcomes. */
const read = (record: Readonly<Record<string, unknown>>) => readMarketIds(record, 2);

describe('the ids of a market', () => {
  it.each([
    { version: 'v1', ...BOTH },
    { clobTokenIds: TOKENS },
    { version: null, clobTokenIds: TOKENS, positionIds: null },
  ])('are its tokens if its version is v1, or if it has tokens only: %j', (record) => {
    expect(read(record)).toEqual({ version: 'v1', tokenIds: ['111', '222'] });
  });

  it.each([
    { version: 'v2', ...BOTH },
    { version: 'v2', clobTokenIds: null, positionIds: '["3", "4"]' },
  ])('are its positions if its version is v2: %j', (record) => {
    expect(read(record)).toEqual({ version: 'v2', tokenIds: ['3', '4'] });
  });

  it.each([
    ['version_unknown', { version: 'V1', clobTokenIds: TOKENS }],
    ['version_unknown', { version: '', clobTokenIds: TOKENS }],
    ['version_missing', { positionIds: IMPLIED }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: IMPLIED }],
    ['version_missing', { version: null, clobTokenIds: TOKENS, positionIds: [] }],
    ['ids_pending', {}],
    ['ids_pending', { version: 'v1', clobTokenIds: null, positionIds: ['3', '4'] }],
    ['ids_pending', { version: 'v1', clobTokenIds: '' }],
    ['ids_pending', { version: 'v2', clobTokenIds: TOKENS }],
    ['ids_pending', { version: 'v2', positionIds: [] }],
    ['ids_count', { version: 'v1', clobTokenIds: '["1"]' }],
    ['ids_count', { version: 'v2', positionIds: ['1', '2', '3'] }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", "2"' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", 2]' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", "1"]' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: `["${2n ** 256n}", "2"]` }],
  ])('are missing because of %s: %j', (reason, record) => {
    expect(read(record)).toMatchObject({ reason });
  });

  it.each([
    { version: 'x'.repeat(30), reported: 'x'.repeat(20) },
    { version: { toString: 1 }, reported: 'object' },
    { version: 3, reported: 'number' },
  ])('are missing with the version $version, reported as $reported', ({ version, reported }) => {
    expect(read({ version })).toEqual({ reason: 'version_unknown', version: reported });
    expect(read({ version: 'v1' })).not.toHaveProperty('version');
  });
});
