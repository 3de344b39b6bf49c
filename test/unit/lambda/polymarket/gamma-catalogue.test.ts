import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/domain/market.ts';
import { GammaCatalogue } from '../../../../lambda/polymarket/gamma-catalogue.ts';
import type { WireObject } from '../../../../lambda/polymarket/json-values.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import {
  errorReply,
  outcomeAfter,
  type ScriptedReply,
  scriptedUpstream,
} from '../../../support/scripted-upstream.ts';

const ID = `0x${'ab'.repeat(32)}`;
const PAGE = { $schema: 'x', markets: [gammaRecord(), 'nonsense'], next_cursor: 'abc' };

function rig(...replies: ScriptedReply[]) {
  const scripted = scriptedUpstream('gamma', ...replies);
  const { upstream, clock } = scripted;
  const seen: { asked: string; envelope: WireObject; records: readonly CatalogueRecord[] }[] = [];
  const catalogue = new GammaCatalogue(upstream, {
    sawPage: (asked, envelope, records) => seen.push({ asked: String(asked), envelope, records }),
  });
  const page = (cursor?: string, atLeast?: number, withinMs = 60_000) =>
    outcomeAfter(600_000, clock, catalogue.page(cursor, clock.now() + withinMs, atLeast));
  const find = (...ids: string[]) => outcomeAfter(600_000, clock, catalogue.find(ids, clock.now() + 600_000));
  return { ...scripted, seen, page, find };
}

describe('a page of the catalogue', () => {
  it.each([
    ['first, by volume, highest first', [], { order: 'volumeNum', ascending: 'false' }],
    ['next, under the one name that is not ignored', ['x y'], { ascending: 'false', after_cursor: 'x y' }],
    [
      'first from a volume on, lowest first',
      [undefined, 5_000.5],
      { ascending: 'true', volume_num_min: '5000.5' },
    ],
    ['first from no volume on, lowest first', [undefined, 0], { ascending: 'true', volume_num_min: '0' }],
    ['next from a volume on', ['c', 7], { ascending: 'true', volume_num_min: '7', after_cursor: 'c' }],
  ] as const)('is asked for: the %s', async (_, [cursor, atLeast], expected) => {
    const { page, calls } = rig(PAGE);
    await page(cursor, atLeast);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.path).toBe('/markets/keyset');
    expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
      limit: '100',
      order: 'volumeNum',
      closed: 'false',
      include_tag: 'true',
      ...expected,
    });
  });

  it('has its markets in their order, those that cannot be read too, and the way to the next', async () => {
    expect(await rig(PAGE).page()).toEqual({
      records: [
        expect.objectContaining({ kind: 'listable', id: ID }),
        { kind: 'skipped', reason: 'not_an_object' },
      ],
      nextCursor: 'abc',
    });
  });

  it.each([undefined, null, '', 17])('is the last where the next cursor is %p', async (next_cursor) => {
    expect(await rig({ ...PAGE, next_cursor }).page()).not.toHaveProperty('nextCursor');
  });

  it.each([
    ['12', { ageSeconds: 12 }],
    ['0', { ageSeconds: 0 }],
    ['old', {}],
  ])('has lain in a cache for as long as its Age says: %s', async (age, expected) => {
    const reply = new Response(JSON.stringify({ markets: [] }), { headers: { age } });
    expect(await rig(reply).page()).toEqual({ records: [], ...expected });
  });

  it('is shown to whoever observes the pages, with its query and as it came', async () => {
    const { page, seen } = rig(PAGE);
    const { records } = (await page('abc')) as { records: CatalogueRecord[] };
    expect(seen).toEqual([
      {
        asked: 'limit=100&order=volumeNum&ascending=false&closed=false&include_tag=true&after_cursor=abc',
        envelope: PAGE,
        records,
      },
    ]);
  });

  it('is read as well where nobody observes', async () => {
    const { upstream, clock } = scriptedUpstream('gamma', PAGE);
    const page = await new GammaCatalogue(upstream).page(undefined, clock.now() + 1_000);
    expect(page.records).toHaveLength(2);
  });

  it('may have more markets than were asked for, but not ten times as many', async () => {
    const pageOf = (markets: number) =>
      rig({ markets: Array(markets).fill(0) }).page(undefined, undefined, 1);
    expect(await pageOf(1_000)).toMatchObject({ records: { length: 1_000 } });
    expect(await pageOf(1_001)).toMatchObject({ failure: 'wrong_shape' });
  });

  it.each([[null], [[]], [{}], [{ markets: {} }], [{ data: [] }]])('is not in %j', async (reply) => {
    const { page, seen } = rig(reply);
    expect(await page(undefined, undefined, 1)).toMatchObject({
      name: 'UpstreamError',
      route: 'markets-keyset',
      failure: 'wrong_shape',
    });
    expect(seen).toEqual([]);
  });

  it('is asked for again for as long as there is time, however often it fails', async () => {
    const failures = Array<Response>(20).fill(errorReply(500, 'cannot get the information'));
    const { page, calls } = rig(...failures, PAGE);
    expect(await page(undefined, undefined, 300_000)).toMatchObject({ nextCursor: 'abc' });
    expect(calls).toHaveLength(21);
    const late = rig('hang');
    expect(await late.page(undefined, undefined, 15_000)).toMatchObject({ failure: 'timeout' });
    expect(late.calls).toHaveLength(2);
  });
});

describe('markets by their ids', () => {
  it('are asked for in lower case, open ones only, and are the records alone', async () => {
    const { find, calls, seen } = rig(PAGE);
    expect(await find('0xAB', '0xcd')).toEqual([
      expect.objectContaining({ kind: 'listable', id: ID }),
      { kind: 'skipped', reason: 'not_an_object' },
    ]);
    expect(calls.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/markets/keyset?limit=100&closed=false&include_tag=true&condition_ids=0xab&condition_ids=0xcd',
    ]);
    expect(seen).toHaveLength(1);
  });

  it('are asked for up to six times where upstream fails, and twice where it is silent', async () => {
    const failing = rig(errorReply(500, 'cannot get the information'));
    expect(await failing.find('0x1')).toMatchObject({ status: 500 });
    expect(failing.calls).toHaveLength(6);
    const silent = rig('hang');
    expect(await silent.find('0x1')).toMatchObject({ failure: 'timeout' });
    expect(silent.calls).toHaveLength(2);
  });

  it('are not in a response of another shape', async () => {
    expect(await rig({ data: [] }).find('0x1')).toMatchObject({ failure: 'wrong_shape' });
  });
});
