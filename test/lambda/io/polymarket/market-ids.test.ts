import { describe, expect, it } from '@jest/globals';
import { readMarketIds } from '../../../../lambda/io/polymarket/market-ids.ts';

/** A condition of Protocol V2, and the two positions that its id implies. */
const CONDITION = `0x01${'ab'.repeat(16)}${'00'.repeat(14)}`;
const OWN = [0n, 1n].map((outcome) => String((BigInt(CONDITION) << 8n) + outcome));

/** Upstream sends lists as lists or as JSON texts. */
const TOKENS = '["111", "222"]';
const BOTH = { clobTokenIds: TOKENS, positionIds: ['3', '4'] };

/** The ids of a market with two outcomes. */
const read = (record: Readonly<Record<string, unknown>>) => readMarketIds(record, 2);

describe('the ids of a market', () => {
  it.each([
    ['v1 with decoys: its tokens', { version: 'v1', ...BOTH }, 'v1', ['111', '222']],
    ['v2 with tokens: its positions', { version: 'v2', ...BOTH }, 'v2', ['3', '4']],
    [
      'v2 as text',
      { version: 'v2', clobTokenIds: null, positionIds: '["3", "4"]' },
      'v2',
      ['3', '4'],
    ],
    ['no version, tokens only: v1', { clobTokenIds: TOKENS }, 'v1', ['111', '222']],
    [
      'version null, tokens only: v1',
      { version: null, clobTokenIds: TOKENS, positionIds: null },
      'v1',
      ['111', '222'],
    ],
  ])('are those of %s', (_, record, version, tokenIds) => {
    expect(read(record)).toEqual({ version, tokenIds });
  });

  it.each([
    ['version_unknown', { version: 'V1', clobTokenIds: TOKENS }],
    ['version_unknown', { version: '', clobTokenIds: TOKENS }],
    ['version_missing', { positionIds: OWN }],
    ['version_missing', { clobTokenIds: TOKENS, positionIds: OWN }],
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
    ['x'.repeat(30), 'x'.repeat(20)],
    [{ toString: 1 }, 'object'],
    [3, 'number'],
  ])('are missing with the unsupported version %p, which is reported', (version, reported) => {
    expect(read({ version })).toEqual({ reason: 'version_unknown', version: reported });
    expect(read({ version: 'v1' })).not.toHaveProperty('version');
  });
});
