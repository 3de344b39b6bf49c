import { describe, expect, it } from '@jest/globals';
import type { BookFact } from '../../../../lambda/endpoints/ports.ts';
import { ClobFacts } from '../../../../lambda/polymarket/clob-facts.ts';
import {
  errorReply,
  outcomeAfter,
  type ScriptedReply,
  scriptedUpstream,
} from '../../../support/scripted-upstream.ts';

function rig(reply: ScriptedReply) {
  const scripted = scriptedUpstream('clob', reply);
  const { upstream, clock } = scripted;
  const facts = new ClobFacts(upstream);
  const fact = (name: BookFact) => outcomeAfter(60_000, clock, facts.fact(name, '7', clock.now() + 4_000));
  return { ...scripted, fact };
}

describe('a fact of a market', () => {
  it.each<[BookFact, object, string | boolean]>([
    ['tick-size', { minimum_tick_size: 0.01 }, '0.01'],
    ['tick-size', { minimum_tick_size: '0.0025' }, '0.0025'],
    ['last-trade-price', { price: '0.500', side: 'BUY' }, '0.500'],
    ['last-trade-price', { price: 1, side: '' }, '1'],
    ['neg-risk', { neg_risk: true }, true],
    ['neg-risk', { neg_risk: false }, false],
  ])('%s is read from %j as %j', async (name, reply, expected) => {
    const { fact, calls } = rig(reply);
    expect(await fact(name)).toBe(expected);
    expect(calls).toEqual([{ path: `/${name}`, query: new URLSearchParams({ token_id: '7' }) }]);
  });

  it.each<[BookFact, object | null]>([
    ['tick-size', {}],
    ['tick-size', { minimum_tick_size: null }],
    ['tick-size', { minimum_tick_size: 'small' }],
    ['tick-size', { minimum_tick_size: ['0.01'] }],
    ['tick-size', { minimum_tick_size: -0.01 }],
    ['tick-size', { minimum_tick_size: 17 }],
    ['last-trade-price', { price: '1.01' }],
    ['last-trade-price', { price: '' }],
    ['last-trade-price', { last_trade_price: '0.5' }],
    ['last-trade-price', [{ price: '0.5' }]],
    ['neg-risk', { neg_risk: 'false' }],
    ['neg-risk', { neg_risk: 0 }],
    ['neg-risk', null],
  ])('%s is not in %j', async (name, reply) => {
    expect(await rig(reply).fact(name)).toMatchObject({
      name: 'UpstreamError',
      route: name,
      failure: 'wrong_shape',
    });
  });

  it.each([
    ['404', errorReply(404, 'market not found')],
    ['400 about the token', errorReply(400, 'Invalid token id')],
  ])('is unknown where upstream says %s, which is no failure', async (_, reply) => {
    const { fact, failures } = rig(reply);
    expect(await fact('tick-size')).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it('is an error where upstream fails, at once', async () => {
    const { fact, calls } = rig(errorReply(500, 'internal'));
    expect(await fact('neg-risk')).toMatchObject({ status: 500 });
    expect(calls).toHaveLength(1);
  });

  it('is asked for twice within its deadline where nothing comes', async () => {
    const { fact, calls } = rig('hang');
    expect(await fact('neg-risk')).toMatchObject({ failure: 'timeout' });
    expect(calls).toHaveLength(2);
  });
});
