// GET /api/markets/{id}/rules: the text that decides how a market is resolved, which Gamma has.

import { describe, expect, it } from '@jest/globals';
import { getMarketRules } from '../../../../lambda/endpoints/rules/market-rules.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

const HOUR_MS = 3_600_000;
const ID = `0x${'ab'.repeat(32)}`;
const SLUG = 'will-it-rain-in-zurich';
/** The fields of a market in Gamma that are its rules. */
const RULES = {
  description: 'Yes if it rains.\n\nOtherwise No.',
  resolutionSource: 'https://weather.example',
};

const stub = await startStubUpstream();

/**
 * The endpoint over a Gamma with these markets. `lookups` counts look-ups of a market. Each makes
 * two calls: one for open markets and one for closed ones.
 */
function rulesEndpoint({ open = [], closed = [] }: { open?: unknown[]; closed?: unknown[] }) {
  stub.reply((response, request) => {
    const isForClosed = new URL(request.url, stub.url).searchParams.get('closed') === 'true';
    send({ markets: isForClosed ? closed : open })(response, request);
  });
  const deps = liveRig(stub.url);
  const endpoint = getMarketRules(deps);
  const get = async (id = SLUG) =>
    await endpoint({ parameters: { id }, sent: {}, headers: {}, path: '' });
  const lookups = () => stub.requests.length / 2;
  return { clock: deps.clock, get, lookups };
}

describe('the rules of a market', () => {
  it.each([
    ['an open', { open: [gammaRecord(RULES)] }],
    ['a closed', { closed: [gammaRecord({ ...RULES, closed: true, endDate: undefined })] }],
  ])('are those of Gamma for %s market, by its slug, id or token', async (_state, records) => {
    const { get } = rulesEndpoint(records);
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

  it('are null if Gamma has none', async () => {
    const { body } = await rulesEndpoint({ open: [gammaRecord({ resolutionSource: ' ' })] }).get();
    expect(JSON.parse(body)).toMatchObject({ description: null, resolutionSource: null });
  });

  it('are cached for an hour, and callers may keep them as long', async () => {
    const { clock, get, lookups } = rulesEndpoint({ open: [gammaRecord(RULES)] });
    const caching = (await get()).headers['Cache-Control'];
    expect(caching).toBe('public, max-age=3600, s-maxage=0, stale-if-error=0');
    await clock.advance(HOUR_MS - 1_000);
    expect((await get()).headers['Cache-Control']).toContain('max-age=1,');
    await clock.advance(1_000);
    await get();
    expect(lookups()).toBe(1);
    await clock.advance(1);
    await get();
    expect(lookups()).toBe(2);
  });

  it('are cached for an id in any case', async () => {
    const { get, lookups } = rulesEndpoint({ open: [gammaRecord(RULES)] });
    await get(ID);
    await get(`0x${ID.slice(2).toUpperCase()}`);
    expect(lookups()).toBe(1);
  });

  it('are a 404 for an unknown market, which is cached for a minute', async () => {
    const { clock, get, lookups } = rulesEndpoint({});
    expect(await outcome(get())).toMatchObject({ code: 'no_market' });
    await clock.advance(60_000);
    expect(await outcome(get())).toMatchObject({ code: 'no_market' });
    expect(lookups()).toBe(1);
    await clock.advance(1);
    await outcome(get());
    expect(lookups()).toBe(2);
  });

  it('are a 404 with the reason if the service cannot read the market', async () => {
    const message = 'Polymarket has this market, but the service cannot read it (version_unknown).';
    const { get } = rulesEndpoint({ open: [gammaRecord({ version: 'v3' })] });
    expect(await outcome(get())).toMatchObject({ code: 'no_market', message });
  });

  it('are a 502 while Gamma fails, which is not cached', async () => {
    const { get } = rulesEndpoint({});
    stub.reply(send({ error: 'no' }, 500));
    expect(await outcome(get())).toMatchObject({ code: 'upstream_unavailable' });
    stub.reply(send({ markets: [gammaRecord(RULES)] }));
    expect((await get()).status).toBe(200);
  });
});
