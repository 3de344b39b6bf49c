import { describe, expect, it } from '@jest/globals';
import { getMarketRules } from '../../../../lambda/endpoints/rules/market-rules.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

const ID = `0x${'ab'.repeat(32)}`;
const SLUG = 'will-it-rain-in-zurich';
const RULES = {
  description: 'Yes if it rains.\n\nOtherwise No.',
  resolutionSource: 'https://weather.example',
};

const stub = await startStubUpstream();

/** The endpoint over a Gamma with these open and closed markets. */
function rig(open: readonly unknown[] | Reply, closed: readonly unknown[] = []) {
  stub.reply((response, request) => {
    const records =
      new URL(request.url, stub.url).searchParams.get('closed') === 'true' ? closed : open;
    (typeof records === 'function' ? records : send({ markets: records }))(response, request);
  });
  const deps = liveRig(stub.url);
  const endpoint = getMarketRules(deps);
  const get = async (id = SLUG, headers = {}) =>
    await endpoint({ parameters: { id }, sent: {}, headers, path: '' });
  return { clock: deps.clock, get };
}

describe('the rules of a market', () => {
  it.each<[string, Readonly<Record<string, unknown>>[], Readonly<Record<string, unknown>>[]]>([
    ['open', [gammaRecord(RULES)], []],
    ['closed', [], [gammaRecord({ ...RULES, closed: true, endDate: undefined })]],
  ])('are those of the upstream: %s', async (_, open, closed) => {
    const { get } = rig(open, closed);
    // Gamma's cache can be five minutes old, and this response does not say its age.
    const readAt = '2026-11-21T11:55:00.000Z';
    for (const name of [SLUG, ID, '222']) {
      const { status, body } = await get(name);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toEqual({
        id: ID,
        question: 'Will it rain in Zürich?',
        ...RULES,
        readAt,
      });
    }
  });

  it('are null where the upstream has none', async () => {
    const { body } = await rig([gammaRecord({ resolutionSource: ' ' })]).get();
    expect(JSON.parse(body)).toMatchObject({ description: null, resolutionSource: null });
  });

  it('are kept for an hour, for every form of an id, and callers are told how long', async () => {
    const { clock, get } = rig([gammaRecord(RULES)]);
    const first = await get(ID);
    expect(first.headers['Cache-Control']).toBe(
      'public, max-age=3600, s-maxage=0, stale-if-error=0',
    );
    await clock.advance(3_599_000);
    const again = await get(ID.toUpperCase().replace('0X', '0x'), {
      'if-none-match': first.headers.ETag,
    });
    expect(again.status).toBe(304);
    expect(again.headers['Cache-Control']).toContain('max-age=1,');
    expect(stub.requests).toHaveLength(2);
    await clock.advance(1_001);
    await get(ID);
    expect(stub.requests).toHaveLength(4);
  });

  it('are a 404 for an unknown market, which is remembered for a minute', async () => {
    const { clock, get } = rig([]);
    expect(await outcome(get())).toMatchObject({ code: 'no_market' });
    await clock.advance(60_000);
    expect(await outcome(get())).toMatchObject({ code: 'no_market' });
    expect(stub.requests).toHaveLength(2);
    await clock.advance(1);
    expect(await outcome(get())).toMatchObject({ code: 'no_market' });
    expect(stub.requests).toHaveLength(4);
  });

  it('are a 404 with the reason if the service cannot read the market', async () => {
    const message = 'Polymarket has this market, but the service cannot read it (version_unknown).';
    expect(await outcome(rig([gammaRecord({ version: 'v3' })]).get())).toMatchObject({
      code: 'no_market',
      message,
    });
  });

  it('are a 502 while Gamma fails, which is not remembered', async () => {
    const { get } = rig(send({ error: 'no' }, 500));
    expect(await outcome(get())).toMatchObject({ code: 'upstream_unavailable' });
    stub.reply(send({ markets: [gammaRecord(RULES)] }));
    expect((await get()).status).toBe(200);
  });
});
