import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import {
  clobBatchSource,
  clobSingleSource,
} from '../../../../lambda/io/polymarket/history-sources.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// CLOB is the part of Polymarket that trades. Two of its routes have the price histories of tokens:
// one for many tokens ("batch"), one for a single token. A caller requests a window or an interval
// such as a week, and the minutes between two points (`fidelity`). A point has a time `t` in Unix
// seconds and a price `p` from 0 to 1.

const WINDOW: HistorySpan = { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 };
const WEEK: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };
const POINT = { t: 1_500, p: 0.4 };

const stub = await startStubUpstream();

/** Reads histories from a route that responds with this body. @returns an object by token */
async function read(
  sourceOf: typeof clobBatchSource,
  tokens: readonly string[],
  span: HistorySpan,
  body: unknown,
) {
  stub.reply(send(body));
  const { clock, upstream } = upstreamRig(stub.url);
  const limits = { deadline: clock.now() + 60_000 };
  const result = await outcome(sourceOf(upstream('clob')).read(tokens, span, limits));
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe("CLOB's batch route", () => {
  const readTwo = (history: unknown) => read(clobBatchSource, ['1', '2'], WEEK, { history });

  it.each([
    {
      what: 'a window',
      span: WINDOW,
      range: { start_ts: 1_000, end_ts: 2_000, fidelity: 15 },
    },
    { what: 'an interval', span: WEEK, range: { interval: '1w', fidelity: 30 } },
  ])('reads $what of several tokens with one call', async ({ span, range }) => {
    const history = { 2: [POINT], 1: [{ t: '1600', p: '0.5' }] };
    expect(await read(clobBatchSource, ['1', '2'], span, { history })).toEqual({
      1: [{ t: 1_600, p: 0.5 }],
      2: [POINT],
    });
    const body = { markets: ['1', '2'], ...range };
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/batch-prices-history', body }]);
  });

  it('has no history for a token that the response omits, and ignores other tokens', async () => {
    expect(await readTwo({ 2: [POINT], 3: [POINT] })).toEqual({ 2: [POINT] });
    expect(await readTwo({ 2: [] })).toEqual({ 2: [] });
    expect(await readTwo({})).toEqual({});
  });

  it.each([
    ['only other tokens', { 3: [POINT] }],
    ['a list', []],
    ['a text as the history of a token', { 1: 'none', 2: [] }],
    ['points that cannot be read', { 1: [{ t: 'x' }] }],
  ])('rejects %s', async (_, history) => {
    const failure = { route: 'batch-prices-history', failure: 'wrong_shape' };
    expect(await readTwo(history)).toMatchObject(failure);
  });
});

describe("CLOB's single route", () => {
  it.each([
    { what: 'a window', span: WINDOW, query: 'startTs=1000&endTs=2000&fidelity=15' },
    { what: 'an interval', span: WEEK, query: 'interval=1w&fidelity=30' },
  ])('reads $what of one token', async ({ span, query }) => {
    expect(await read(clobSingleSource, ['7'], span, { history: [POINT] })).toEqual({ 7: [POINT] });
    expect(stub.urls).toEqual([`/prices-history?market=7&${query}`]);
  });

  it.each([
    ['no object', [null, 'x', 42, [1]]],
    ['no price', [{}, { t: 5 }]],
    ['a time that is no number', [{ t: 'x', p: 0.5 }]],
    ['a time before 1970', [{ t: -120, p: 0.5 }]],
    ['a time in milliseconds', [{ t: 1_784_211_751_431, p: 0.4 }]],
    ['a price above 1', [{ t: 5, p: 1.5 }]],
  ])('leaves out points with %s', async (_, unreadable) => {
    const history = [...unreadable, POINT];
    expect(await read(clobSingleSource, ['7'], WEEK, { history })).toEqual({ 7: [POINT] });
  });

  it.each([
    ['null', null],
    ['a text as the history', { history: 'x' }],
    ['points that cannot be read', { history: [null, { t: -1, p: 0.5 }] }],
  ])('rejects %s', async (_, body) => {
    const failure = { route: 'prices-history', failure: 'wrong_shape' };
    expect(await read(clobSingleSource, ['7'], WEEK, body)).toMatchObject(failure);
  });
});
