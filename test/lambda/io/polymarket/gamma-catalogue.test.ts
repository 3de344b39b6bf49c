import { describe, expect, it } from '@jest/globals';
import { GammaCatalogue } from '../../../../lambda/io/polymarket/gamma-catalogue.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// Gamma is Polymarket's API for its catalogue of markets. `GammaCatalogue` reads it page by page,
// in the order of volume, and reads single markets by their ids. It dates each response (`madeAt`),
// because Polymarket caches some.

const ID = `0x${'ab'.repeat(32)}`;
const PAGE = { $schema: 'x', markets: [gammaRecord(), 'nonsense'], next_cursor: 'abc' };
const RECORDS = [
  expect.objectContaining({ kind: 'listable', id: ID }),
  { kind: 'skipped', reason: 'not_an_object' },
];
const FAILURE = send({ type: 'internal error', error: 'cannot get the information' }, 500);

const stub = await startStubUpstream();

interface PageRequest {
  readonly cursor?: string;
  /** In USD. */
  readonly minVolume?: number;
  /** The time until the deadline. */
  readonly withinMs?: number;
}

function rig(...replies: Reply[]) {
  stub.reply(...replies);
  const { clock, upstream } = upstreamRig(stub.url);
  const catalogue = new GammaCatalogue(upstream('gamma'));
  const page = ({ cursor, minVolume, withinMs = 60_000 }: PageRequest = {}) =>
    outcome(catalogue.page(cursor, clock.now() + withinMs, minVolume));
  const find = (...ids: string[]) => outcome(catalogue.recordsByIds(ids, clock.now() + 60_000));
  return { clock, page, find };
}

describe('a page of the catalogue', () => {
  it.each<{ which: string; request: PageRequest; query: object }>([
    { which: 'first, highest volume first', request: {}, query: { ascending: 'false' } },
    {
      which: 'one after a cursor',
      request: { cursor: 'x y' },
      query: { ascending: 'false', after_cursor: 'x y' },
    },
    {
      which: 'first from volume 0 on, lowest first',
      request: { minVolume: 0 },
      query: { ascending: 'true', volume_num_min: '0' },
    },
    {
      which: 'one after a cursor, from a volume on',
      request: { cursor: 'c', minVolume: 7 },
      query: { ascending: 'true', volume_num_min: '7', after_cursor: 'c' },
    },
  ])('can be the $which', async ({ request, query }) => {
    await rig(send(PAGE)).page(request);
    const url = new URL(stub.urls[0] ?? '', stub.url);
    expect(url.pathname).toBe('/markets/keyset');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      limit: '100',
      order: 'volumeNum',
      closed: 'false',
      include_tag: 'true',
      ...query,
    });
  });

  it('has its records in order, unreadable ones too, and the cursor of the next page', async () => {
    expect(await rig(send(PAGE)).page()).toEqual({
      records: RECORDS,
      nextCursor: 'abc',
      madeAt: expect.any(Number),
    });
  });

  it.each([undefined, null, '', 17])(
    'is the last if the next cursor is %p',
    async (next_cursor) => {
      expect(await rig(send({ ...PAGE, next_cursor })).page()).toEqual({
        records: RECORDS,
        madeAt: expect.any(Number),
      });
    },
  );

  const pageOf = (markets: unknown) => rig(send({ markets })).page({ withinMs: 100 });

  it('can have up to ten times as many records as its limit of 100', async () => {
    expect(await pageOf(Array(1_000).fill(0))).toMatchObject({ records: { length: 1_000 } });
  });

  it.each([
    ['more', Array(1_001).fill(0)],
    ['an object', {}],
    ['no records', undefined],
  ])('is rejected with %s', async (_, markets) => {
    const failure = { route: 'markets-keyset', failure: 'wrong_shape' };
    expect(await pageOf(markets)).toMatchObject(failure);
  });

  it('is retried until the deadline, however often it fails', async () => {
    const { clock, page } = rig(...Array<Reply>(9).fill(FAILURE), send(PAGE));
    const result = page({ withinMs: 300_000 });
    // A pause doubles up to 8 s, and jitter takes a quarter of it.
    for (const ms of [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000])
      await clock.passTimer(0.75 * ms);
    expect(await result).toMatchObject({ nextCursor: 'abc' });
    expect(stub.requests).toHaveLength(10);
  });
});

it('markets by their ids are read with ids in lower case, and are the open ones', async () => {
  expect(await rig(send(PAGE)).find('0xAB', '0xcd')).toMatchObject({ records: RECORDS });
  expect(stub.urls).toEqual([
    '/markets/keyset?limit=100&closed=false&include_tag=true&condition_ids=0xab&condition_ids=0xcd',
  ]);
});
