import { describe, expect, it } from '@jest/globals';
import { GammaRules, readRules } from '../../../../lambda/io/polymarket/market-rules.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// The rules of a market say how it resolves: a description, and the source that decides. Gamma,
// Polymarket's catalogue, has them. The archive reads those of many markets, by their ids.

const stub = await startStubUpstream();

describe('the rules of a Gamma record', () => {
  it('are its description and its source', () => {
    const resolutionSource = 'https://example.com/results';
    const record = {
      description: 'Resolves to "Yes" if it rains.\n\nOtherwise to "No".',
      resolutionSource,
    };
    expect(readRules({ ...record, question: 'Rain?' })).toEqual(record);
  });

  it.each<[unknown]>([[undefined], [null], [''], [' \n '], ['\u200b\u202e'], [7], [['text']]])(
    'leave out %j',
    (value) => {
      expect(readRules({ description: value, resolutionSource: value })).toEqual({});
    },
  );

  // U+202E and U+202C reverse the direction of the text between them.
  it('keep line breaks in the description only, and no invisible characters', () => {
    const record = { description: 'pay\r\n\u202eoN\u202c', resolutionSource: 'NOAA\nand others' };
    expect(readRules(record)).toEqual({
      description: 'pay\noN',
      resolutionSource: 'NOAA and others',
    });
  });
});

describe('the rules of several markets', () => {
  const id = `0xAB${'c'.repeat(60)}`;
  const read = async (reply: unknown) => {
    stub.reply(send(reply));
    const { clock, upstream } = upstreamRig(stub.url);
    const rules = new GammaRules(upstream('gamma'));
    const areClosed = true;
    const limits = { deadline: clock.now() + 100 };
    return await outcome(rules.read([id, '0xd'], areClosed, limits));
  };

  it('are read with one call, by lower-case ids', async () => {
    // The market 0xd has no record.
    const records = [
      { conditionId: id, description: 'If.' },
      { description: 'without an id' },
      null,
    ];
    const found = await read({ markets: records });
    // Ids of 31 bytes get a last byte of zero.
    const padded = `${id.toLowerCase()}00`;
    expect(found).toEqual(new Map([[padded, { description: 'If.', readAt: expect.any(Number) }]]));
    const url = `/markets/keyset?limit=100&closed=true&condition_ids=${id.toLowerCase()}&condition_ids=0xd`;
    expect(stub.requests).toMatchObject([{ method: 'GET', url }]);
  });

  it.each([null, {}, { markets: {} }])('are not in %j', async (reply) => {
    expect(await read(reply)).toMatchObject({ route: 'markets-keyset', failure: 'wrong_shape' });
  });
});
