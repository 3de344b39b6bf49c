import { describe, expect, it } from '@jest/globals';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import {
  CLOSED,
  ID,
  resolutionRow,
  SLUG,
  TOKEN,
  type Upstreams,
  unlistedRig,
} from './unlisted-rig.ts';

/** A record of a protocol version that the service does not support. */
const V3 = gammaRecord({ version: 'v3' });

const stub = await startStubUpstream();

describe('the lookup of a market that is not in the list', () => {
  it.each([
    ['a slug', SLUG, 'slug=will-it-rain-in-zurich'],
    ['a condition id', ID.toUpperCase(), `condition_ids=${ID}`],
    ['a token', `00${TOKEN}`, 'clob_token_ids=111'],
    ['any token', '222', 'clob_token_ids=222'],
  ])('by %s requests open and closed markets', async (_, name, query) => {
    const { market } = unlistedRig(stub, { open: [gammaRecord()] });
    expect((await market('UnlistedMarket', name)).id).toBe(ID);
    const urls = [false, true].map(
      (closed) => `/markets/keyset?closed=${closed}&include_tag=true&${query}`,
    );
    expect(stub.urls.filter((url) => url.startsWith('/markets')).toSorted()).toEqual(urls);
  });

  /** A condition of Protocol V2, which has 31 bytes, and the position of one of its outcomes. */
  const V2_ID = `0x01${'9c'.repeat(15)}${'00'.repeat(15)}`;
  const POSITION = String(BigInt(`${V2_ID}01`));

  it.each([
    ['31 bytes', V2_ID, [`condition_ids=${V2_ID}&`, `condition_ids=${V2_ID}00`]],
    ['32 bytes', `${V2_ID}00`, [`condition_ids=${V2_ID}&`, `condition_ids=${V2_ID}00`]],
    ['a position', POSITION, [`position_ids=${POSITION}`]],
  ])('of Protocol V2 by %s requests the ids that Gamma can have', async (_, name, queries) => {
    const positionIds = [String(BigInt(`${V2_ID}00`)), POSITION];
    const ids = { version: 'v2', conditionId: V2_ID, clobTokenIds: null, positionIds };
    const { market } = unlistedRig(stub, { open: [gammaRecord(ids)] });
    expect((await market('UnlistedMarket', name)).id).toBe(V2_ID);
    for (const query of queries) expect(`${stub.urls[0]}&`).toContain(query);
  });

  it('is a 404 for a market that upstream does not know, even if upstream sends others', async () => {
    for (const open of [
      [],
      [gammaRecord({ slug: 'other', conditionId: `0x${'cd'.repeat(32)}` })],
    ]) {
      expect(await outcome(unlistedRig(stub, { open }).get())).toMatchObject({ code: 'no_market' });
    }
  });

  it.each<[string, Upstreams]>([
    ['one of the two calls fails', { open: send('', 500) }],
    ['the record has no condition id', { open: [gammaRecord({ conditionId: undefined })] }],
    [
      'the open record cannot be read, and the other call fails',
      { open: [V3], closed: send('', 500) },
    ],
    ['the resolution cannot be read', { closed: [gammaRecord(CLOSED)], resolution: send('', 500) }],
    ['the book cannot be read', { open: [gammaRecord()], book: send('', 500) }],
  ])('is a 502 if %s', async (_, upstreams) => {
    expect(await outcome(unlistedRig(stub, upstreams).get())).toMatchObject({
      code: 'upstream_unavailable',
    });
  });

  it('is a 404 with the reason, for a minute, for a market that the service cannot read', async () => {
    const { clock, get, called } = unlistedRig(stub, { open: [V3] });
    const message = 'Polymarket has this market, but the service cannot read it (version_unknown).';
    expect(await outcome(get())).toMatchObject({ code: 'no_market', message });
    await clock.advance(60_000);
    expect(await outcome(get())).toMatchObject({ code: 'no_market', message });
    expect(called('/markets')).toHaveLength(2);
  });

  it('finds a market although the other call fails', async () => {
    const closed = [gammaRecord(CLOSED)];
    const resolution = resolutionRow({ status: 'proposed' });
    expect(
      (
        await unlistedRig(stub, { open: send('', 500), closed, resolution }).market(
          'UnlistedMarket',
        )
      ).status,
    ).toBe('closed');
  });

  it.each<[string, number, Upstreams]>([
    ['a minute for an open market', 60, { open: [gammaRecord()] }],
    [
      'a minute for a closed market',
      60,
      { closed: [gammaRecord(CLOSED)], resolution: resolutionRow({ status: 'proposed' }) },
    ],
    ['a minute for an unknown market', 60, {}],
    [
      'a day for a resolved market',
      86_400,
      {
        closed: [gammaRecord(CLOSED)],
        resolution: resolutionRow({ status: 'resolved', payouts: [1_000_000, 0] }),
      },
    ],
  ])('is kept for %s', async (_which, seconds, upstreams) => {
    const { clock, get, called } = unlistedRig(stub, upstreams);
    const first = (await outcome(get(ID))) as { headers?: Record<string, string> };
    if (first.headers) expect(first.headers['Cache-Control']).toContain(`max-age=${seconds},`);
    await clock.advance(seconds * 1_000);
    await outcome(get(`0x${ID.slice(2).toUpperCase()}`));
    expect(called('/markets')).toHaveLength(2);
    await clock.advance(1);
    await outcome(get(ID));
    expect(called('/markets')).toHaveLength(4);
  });
});
