import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClobPrices } from '../../../lambda/polymarket/clob-prices.ts';
import { outcome } from '../../support/outcome.ts';
import { hang, type StubUpstream, send, startStubUpstream } from '../../support/stub-upstream.ts';
import { upstreamRig } from '../../support/upstream-rig.ts';

let stub: StubUpstream;
beforeAll(async () => {
  stub = await startStubUpstream();
});
afterAll(() => stub.close());

const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));

async function midpoints(requested: readonly string[], reply: unknown) {
  stub.reply(send(reply));
  const { clock, upstream } = upstreamRig(stub.url);
  const result = await outcome(new ClobPrices(upstream('clob')).midpoints(requested, clock.now() + 100));
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe('the midpoints', () => {
  it('are read with one call, as decimal texts or numbers', async () => {
    expect(await midpoints(['1', '2', '3'], { 2: '0.45', 1: 0.0055, 9: '0.7' })).toEqual({ 1: 0.0055, 2: 0.45 });
    const body = [{ token_id: '1' }, { token_id: '2' }, { token_id: '3' }];
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/midpoints', body }]);
  });

  it.each(['', '-0.1', '1.01', null])('leave out a value such as %p', async (value) => {
    expect(await midpoints(['1', '2'], { 1: value, 2: '0.5' })).toEqual({ 2: 0.5 });
  });

  it.each([null, [], '"x"', 3])('are not in %j', async (reply) => {
    expect(await midpoints(['1'], reply)).toMatchObject({ route: 'midpoints', failure: 'wrong_shape' });
  });

  it('of none of 20 tokens or more are a failed call, of none of fewer are none', async () => {
    expect(await midpoints(tokens(20), {})).toMatchObject({ failure: 'wrong_shape' });
    expect(await midpoints(tokens(500), { 7: 'x' })).toMatchObject({ failure: 'wrong_shape' });
    expect(await midpoints(tokens(19), {})).toEqual({});
    expect(await midpoints(tokens(20), { 7: '0.5' })).toEqual({ 7: 0.5 });
  });

  it('are retried', async () => {
    stub.reply(send({}), hang, send({ 7: '0.5' }));
    const { clock, upstream } = upstreamRig(stub.url);
    const result = new ClobPrices(upstream('clob')).midpoints(tokens(20), clock.now() + 60_000);
    await clock.passTimer(187.5);
    await stub.received(2);
    await clock.advance(5_000);
    await clock.passTimer(375);
    expect(await result).toEqual(new Map([['7', 0.5]]));
  });
});
