import { describe, expect, it } from '@jest/globals';
import { readMarketIds } from '../../../../lambda/io/polymarket/market-ids.ts';
import { upstreamRecords } from '../../../support/upstream-records.ts';

const CONDITION = `0x01${'ab'.repeat(16)}${'00'.repeat(14)}`;
const TOKENS = '["111", "222"]';

/** The position ids of a condition. */
const positionsOf = (condition: string) => [0n, 1n].map((outcome) => String((BigInt(condition) << 8n) + outcome));
const OWN = positionsOf(CONDITION);
const OTHER = positionsOf(CONDITION.replaceAll('ab', 'cd'));

const both = (positionIds: unknown) => ({ clobTokenIds: TOKENS, positionIds });
const read = (record: Readonly<Record<string, unknown>>) => readMarketIds(record, CONDITION, 2);

describe('the ids of a market', () => {
  it.each([
    [
      'v1 with decoys: its tokens',
      { version: 'v1', clobTokenIds: TOKENS, positionIds: ['3', '4'] },
      'v1',
      ['111', '222'],
    ],
    [
      'v2 with tokens: its positions',
      { version: 'v2', clobTokenIds: TOKENS, positionIds: ['3', '4'] },
      'v2',
      ['3', '4'],
    ],
    ['v2 as text', { version: 'v2', clobTokenIds: null, positionIds: '["3", "4"]' }, 'v2', ['3', '4']],
    ['no version, tokens only: v1', { clobTokenIds: TOKENS }, 'v1', ['111', '222']],
    ['version null, tokens only: v1', { version: null, clobTokenIds: TOKENS, positionIds: null }, 'v1', ['111', '222']],
    ['no version, positions of the condition: v2', both(OWN), 'v2', OWN],
    ['no version, positions of another condition: v1', both(OTHER), 'v1', ['111', '222']],
    ['no version, positions of two conditions: v1', both([OWN[0], OTHER[1]]), 'v1', ['111', '222']],
  ])('are those of %s', (_, record, version, tokenIds) => {
    expect(read(record)).toEqual({ version, tokenIds });
  });

  it('follow from their layout also with a padded condition id', () => {
    expect(readMarketIds(both(OWN), `${CONDITION}00`, 2)).toMatchObject({ version: 'v2' });
  });

  it.each([
    ['version_unknown', { version: 'V1', clobTokenIds: TOKENS }],
    ['version_unknown', { version: '', clobTokenIds: TOKENS }],
    ['version_missing', { positionIds: OWN }],
    ['version_missing', both(['3', '4'])],
    ['version_missing', both('x')],
    ['version_missing', both(OWN.toReversed())],
    // The last byte differs, as for outcomes, but the layout is unknown.
    ['version_missing', both(['256', '257'])],
    ['version_missing', both([null, null])],
    ['version_missing', both([])],
    ['version_missing', both(Array(2).fill(OWN[0]))],
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
    ['x'.repeat(30), 'x'.repeat(20)],
    [{ toString: 1 }, 'object'],
    [3, 'number'],
  ])('are missing with the unsupported version %p, which is reported', (version, reported) => {
    expect(read({ version })).toEqual({ reason: 'version_unknown', version: reported });
    expect(read({ version: 'v1' })).not.toHaveProperty('version');
  });

  const markets = upstreamRecords().filter((one) => 'assetIds' in one.expect);
  it.each(markets.map((record) => [record.name, record] as const))(
    'are those of the record "%s", and never those of the other version by the layout',
    (_, { object, expect: { assetIds } }) => {
      const [market = {}] = (object.markets as Record<string, unknown>[] | undefined) ?? [object];
      const conditionId = String(market.conditionId ?? CONDITION);
      const result = assetIds === null ? { reason: 'version_unknown' } : { tokenIds: assetIds };
      expect(readMarketIds(market, conditionId, 2)).toMatchObject(result);
      const ids = readMarketIds({ ...market, version: undefined }, conditionId, 2);
      if ('tokenIds' in ids) expect(ids.tokenIds).toEqual(assetIds);
    },
  );
});
