// How the service looks up a market that is not in the list: which calls to Gamma find it, what an
// error of upstream becomes, and how long the result is cached.

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

/** A market of Gamma with a protocol version that the service does not support. */
const V3 = gammaRecord({ version: 'v3' });

const stub = await startStubUpstream();

describe('the lookup of a market that is not in the list', () => {
  it.each([
    ['a slug', SLUG, 'slug=will-it-rain-in-zurich'],
    ['a condition id', ID.toUpperCase(), `condition_ids=${ID}`],
    ['a token', `00${TOKEN}`, 'clob_token_ids=111'],
    ['any token', '222', 'clob_token_ids=222'],
  ])('by %s requests open and closed markets', async (_, name, query) => {
    const { market, called } = unlistedRig(stub, { open: [gammaRecord()] });
    expect((await market('UnlistedMarket', name)).id).toBe(ID);
    expect(called('/markets').toSorted()).toEqual([
      `/markets/keyset?closed=false&include_tag=true&${query}`,
      `/markets/keyset?closed=true&include_tag=true&${query}`,
    ]);
  });

  // In Protocol V2, a condition id has 31 bytes. A position id is its bytes and one byte for the
  // outcome, as a decimal number.
  const V2_ID = `0x01${'9c'.repeat(15)}${'00'.repeat(15)}`;
  const POSITION = String(BigInt(`${V2_ID}01`));

  it.each([
    ['an id of 31 bytes', V2_ID, { condition_ids: [`${V2_ID}00`, V2_ID] }],
    ['an id of 32 bytes', `${V2_ID}00`, { condition_ids: [`${V2_ID}00`, V2_ID] }],
    ['a position', POSITION, { position_ids: [POSITION] }],
  ])('of Protocol V2 by %s requests the ids that Gamma can have', async (_, name, expected) => {
    const positionIds = [String(BigInt(`${V2_ID}00`)), POSITION];
    const ids = { version: 'v2', conditionId: V2_ID, clobTokenIds: null, positionIds };
    const { market } = unlistedRig(stub, { open: [gammaRecord(ids)] });
    expect((await market('UnlistedMarket', name)).id).toBe(V2_ID);
    const { searchParams } = new URL(stub.urls[0] ?? '', stub.url);
    for (const [parameter, values] of Object.entries(expected)) {
      expect(searchParams.getAll(parameter)).toEqual(values);
    }
  });

  it.each([
    ['no market', []],
    ['another market', [gammaRecord({ slug: 'other', conditionId: `0x${'cd'.repeat(32)}` })]],
  ])('is a 404 if upstream sends %s', async (_, open) => {
    expect(await outcome(unlistedRig(stub, { open }).get())).toMatchObject({ code: 'no_market' });
  });

  it.each<[failure: string, upstreams: Upstreams]>([
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

  it('finds a closed market even if the call for open markets fails', async () => {
    const closed = [gammaRecord(CLOSED)];
    const resolution = resolutionRow({ status: 'proposed' });
    const { market } = unlistedRig(stub, { open: send('', 500), closed, resolution });
    expect((await market('UnlistedMarket')).status).toBe('closed');
  });

  const PROPOSED = resolutionRow({ status: 'proposed' });
  const RESOLVED = resolutionRow({ status: 'resolved', payouts: [1_000_000, 0] });
  it.each<[which: string, seconds: number, upstreams: Upstreams]>([
    ['an open market', 60, { open: [gammaRecord()] }],
    ['a closed market', 60, { closed: [gammaRecord(CLOSED)], resolution: PROPOSED }],
    ['a resolved market', 86_400, { closed: [gammaRecord(CLOSED)], resolution: RESOLVED }],
    ['an unknown market', 60, {}],
  ])('is cached for %s for %i s', async (_which, seconds, upstreams) => {
    const { clock, get, called } = unlistedRig(stub, upstreams);
    await outcome(get(ID));
    await clock.advance(seconds * 1_000);
    const sameId = `0x${ID.slice(2).toUpperCase()}`;
    await outcome(get(sameId));
    // One call for open markets, and one for closed ones.
    expect(called('/markets')).toHaveLength(2);
    await clock.advance(1);
    await outcome(get(ID));
    expect(called('/markets')).toHaveLength(4);
  });

  it('tells a browser how long to keep the market', async () => {
    const { get } = unlistedRig(stub, { open: [gammaRecord()] });
    expect((await get(ID)).headers['Cache-Control']).toContain('max-age=60,');
  });
});
