import { describe, expect, it } from '@jest/globals';
import { ClobPrices } from '../../../../lambda/polymarket/clob-prices.ts';
import {
  errorReply,
  outcomeAfter,
  type ScriptedReply,
  scriptedUpstream,
} from '../../../support/scripted-upstream.ts';

function rig(...replies: ScriptedReply[]) {
  const scripted = scriptedUpstream('clob', ...replies);
  const { upstream, clock } = scripted;
  const prices = new ClobPrices(upstream);
  const midpoints = (tokens: string[], withinMs = 600_000) =>
    outcomeAfter(600_000, clock, prices.midpoints(tokens, clock.now() + withinMs));
  return { ...scripted, midpoints };
}

describe('midpoints', () => {
  it('are asked for in one call and are numbers in 0..1', async () => {
    const { midpoints, calls } = rig({ 2: '0.0055', 1: '1', 4: 0.25 });
    expect(await midpoints(['1', '2', '4'])).toEqual(
      new Map([
        ['1', 1],
        ['2', 0.0055],
        ['4', 0.25],
      ]),
    );
    const body = [{ token_id: '1' }, { token_id: '2' }, { token_id: '4' }];
    expect(calls).toEqual([{ path: '/midpoints', query: new URLSearchParams(), body }]);
  });

  it('are missing where upstream gives none or one that is no price, and nobody else takes their place', async () => {
    const { midpoints } = rig({ 1: '0.5', 2: '1.1', 3: '', 4: null, 9: '0.9' });
    expect(await midpoints(['1', '2', '3', '4', '5'])).toEqual(new Map([['1', 0.5]]));
  });

  it.each([[null], [[]]])('are not in %j', async (reply) => {
    expect(await rig(reply).midpoints(['1'], 1)).toMatchObject({
      name: 'UpstreamError',
      route: 'midpoints',
      failure: 'wrong_shape',
    });
  });

  it('are asked for up to six times where upstream fails, and four times where it is silent', async () => {
    const failing = rig(errorReply(500, 'internal'));
    expect(await failing.midpoints(['1'])).toMatchObject({ status: 500 });
    expect(failing.calls).toHaveLength(6);
    const silent = rig('hang');
    expect(await silent.midpoints(['1'])).toMatchObject({ failure: 'timeout' });
    expect(silent.calls).toHaveLength(4);
  });

  it('are not asked for again after their deadline', async () => {
    const { midpoints, calls } = rig('hang');
    expect(await midpoints(['1'], 3_000)).toMatchObject({ failure: 'timeout' });
    expect(calls).toHaveLength(1);
  });

  it('are found by the retry after a hiccup', async () => {
    expect(await rig(errorReply(503, 'busy'), { 1: '0.5' }).midpoints(['1'])).toEqual(new Map([['1', 0.5]]));
  });
});
