import { describe, expect, it } from '@jest/globals';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';
import { readMarketIds } from '../../../../lambda/polymarket/market-ids.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { protocolFixtures } from '../../../support/recordings.ts';

const CONDITION = `0x01${'ab'.repeat(16)}${'00'.repeat(14)}`;
const OTHER = `0x01${'cd'.repeat(16)}${'00'.repeat(14)}`;
const TOKENS = '["111", "222"]';

/** The position ids of a condition, as arrays of decimal strings. */
function positionsOf(condition: string): string[] {
  return [0n, 1n].map((outcome) => String((BigInt(condition) << 8n) + outcome));
}

const read = (record: Readonly<Record<string, unknown>>, outcomes = 2) =>
  readMarketIds(record, CONDITION, outcomes);

describe('the ids of a market', () => {
  it.each([
    ['v1: its tokens', { version: 'v1', clobTokenIds: TOKENS }, 'v1', ['111', '222']],
    [
      'v1 with decoys: its tokens',
      { version: 'v1', clobTokenIds: TOKENS, positionIds: ['3', '4'] },
      'v1',
      ['111', '222'],
    ],
    ['v2: its positions', { version: 'v2', clobTokenIds: null, positionIds: ['3', '4'] }, 'v2', ['3', '4']],
    [
      'v2 with tokens: its positions',
      { version: 'v2', clobTokenIds: TOKENS, positionIds: ['3', '4'] },
      'v2',
      ['3', '4'],
    ],
    ['v2 as text', { version: 'v2', positionIds: '["3", "4"]' }, 'v2', ['3', '4']],
    ['no version, tokens only: v1', { clobTokenIds: TOKENS }, 'v1', ['111', '222']],
    [
      'version null, tokens only: v1',
      { version: null, clobTokenIds: TOKENS, positionIds: null },
      'v1',
      ['111', '222'],
    ],
    [
      'no version, positions that decode to the condition: v2',
      { clobTokenIds: TOKENS, positionIds: positionsOf(CONDITION) },
      'v2',
      positionsOf(CONDITION),
    ],
    [
      'no version, positions that decode to another condition: v1',
      { clobTokenIds: TOKENS, positionIds: positionsOf(OTHER) },
      'v1',
      ['111', '222'],
    ],
    [
      'no version, positions that decode to two conditions: v1',
      { clobTokenIds: TOKENS, positionIds: [positionsOf(CONDITION)[0], positionsOf(OTHER)[1]] },
      'v1',
      ['111', '222'],
    ],
  ])('are, for %s', (_, record, version, tokenIds) => {
    expect(read(record)).toEqual({ kind: 'ids', version, tokenIds });
  });

  it('are told by their layout with a padded condition id as well', () => {
    const record = { clobTokenIds: TOKENS, positionIds: positionsOf(CONDITION) };
    expect(readMarketIds(record, `${CONDITION}00`, 2)).toMatchObject({ version: 'v2' });
  });

  it.each([
    ['version_unknown', { version: 'v3', clobTokenIds: TOKENS, positionIds: ['3', '4'] }],
    ['version_unknown', { version: 'V1', clobTokenIds: TOKENS }],
    ['version_unknown', { version: 1, clobTokenIds: TOKENS }],
    ['version_unknown', { version: '', clobTokenIds: TOKENS }],
    ['version_missing', { positionIds: positionsOf(CONDITION) }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: ['3', '4'] }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: 'x' }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: positionsOf(CONDITION).toReversed() }],
    // Told apart by their last byte, as outcomes are, but laid out like nothing that is known.
    ['version_missing', { clobTokenIds: TOKENS, positionIds: ['256', '257'] }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: ['x', 'y'] }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: [null, null] }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: [] }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: Array(2).fill(positionsOf(CONDITION)[0]) }],
    ['ids_pending', {}],
    ['ids_pending', { version: 'v1' }],
    ['ids_pending', { version: 'v1', clobTokenIds: null, positionIds: ['3', '4'] }],
    ['ids_pending', { version: 'v1', clobTokenIds: '' }],
    ['ids_pending', { version: 'v2', clobTokenIds: TOKENS }],
    ['ids_pending', { version: 'v2', clobTokenIds: TOKENS, positionIds: [] }],
    ['ids_count', { version: 'v1', clobTokenIds: '["1"]' }],
    ['ids_count', { version: 'v2', positionIds: ['1', '2', '3'] }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", "2"' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", "0x2"]' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", 2]' }],
    ['ids_malformed', { version: 'v1', clobTokenIds: '["1", "1"]' }],
    ['ids_malformed', { version: 'v2', positionIds: ['1', ''] }],
    ['ids_malformed', { version: 'v2', positionIds: { 0: '1' } }],
    ['ids_malformed', { version: 'v1', clobTokenIds: `["${2n ** 256n}", "2"]` }],
  ])('are missing because of %s: %j', (reason, record) => {
    expect(read(record)).toEqual({ kind: 'none', reason });
  });

  const fixtures = protocolFixtures();
  for (const { name, object, expect: expected } of fixtures.filter((one) => 'assetIds' in one.expect)) {
    const markets = (object.markets as Record<string, unknown>[] | undefined) ?? [object];
    it(`are those that the market has: ${name}`, () => {
      const ids = markets.map((market) => readMarketIds(market, String(market.conditionId ?? CONDITION), 2));
      if (expected.assetIds === null) expect(ids).toEqual([{ kind: 'none', reason: 'version_unknown' }]);
      else expect(ids).toEqual([expect.objectContaining({ kind: 'ids', tokenIds: expected.assetIds })]);
    });

    it(`are found without a version where the layout tells it: ${name}`, () => {
      for (const { version, ...market } of markets) {
        const ids = readMarketIds(market, String(market.conditionId ?? CONDITION), 2);
        // Whatever is concluded, it is never the other version's ids.
        if (ids.kind === 'ids') expect(ids.tokenIds).toEqual(expected.assetIds);
      }
    });

    it(`list the market with its first id as YES: ${name}`, () => {
      if (expected.assetIds === null) return;
      const { closed, active, ...market } = markets[0] ?? {};
      const record = readGammaMarket({ ...gammaRecord({ clobTokenIds: undefined }), ...market });
      expect(record).toMatchObject({
        kind: 'listable',
        market: { yesTokenId: (expected.assetIds as string[])[0] },
      });
    });
  }

  for (const { name, object } of fixtures.filter((one) => one.name.startsWith('null-version'))) {
    it(`are not guessed for a market with both ids and no version: ${name}`, () => {
      expect(readMarketIds(object, String(object.conditionId), 2)).toEqual({
        kind: 'none',
        reason: 'version_missing',
      });
    });
  }
});
