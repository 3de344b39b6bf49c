import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type SimulatedUpstream, startUpstream } from 'polymarket-simulator';
import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import { systemClock } from '../../../../lambda/platform/clock.ts';
import { refreshUpstreams } from '../../../../lambda/polymarket/refresh-upstreams.ts';

const DAY = 86_400;
const WITHIN_MS = 30_000;

/** A dataset of which half is Protocol V2, with decoys, twins, pending ids, unknown versions and both condition ids. */
let upstream: SimulatedUpstream;
beforeAll(async () => {
  upstream = await startUpstream({ markets: 300, v2Share: 0.5, rateLimits: false });
});
afterEach(() => {
  upstream.clearFaults();
});
afterAll(() => upstream.close());

function reads() {
  const urls = { gamma: upstream.url, clob: upstream.url, data: upstream.url };
  return refreshUpstreams({ urls, fetch: globalThis.fetch, clock: systemClock, random: Math.random });
}

/** The readable markets by their key, and how often each came. */
async function crawl() {
  const { catalogue } = reads();
  const markets = new Map<string, CatalogueMarket>();
  const skipped = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await catalogue.page(cursor, Date.now() + WITHIN_MS);
    for (const record of page.records) {
      if (record.kind === 'listable') markets.set(record.id, record.market);
      if (record.kind === 'skipped') skipped.add(record.reason);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { markets: [...markets.values()], skipped };
}

describe('a dataset that is half Protocol V2', () => {
  it('is listed with both versions, each market once under one token, and what is unknown is skipped by its reason', async () => {
    const { markets, skipped } = await crawl();
    const versions = Object.groupBy(markets, ({ protocolVersion }) => protocolVersion);
    expect(versions.v1?.length).toBeGreaterThan(50);
    expect(versions.v2?.length).toBeGreaterThan(50);
    expect([...skipped]).toEqual(expect.arrayContaining(['version_unknown', 'ids_pending']));
    const tokens = markets.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('has a price for nearly every token that was chosen: none is a decoy', async () => {
    const { markets } = await crawl();
    const tokens = markets.map(({ yesTokenId }) => yesTokenId);
    const midpoints = await reads().prices.midpoints(tokens, Date.now() + WITHIN_MS);
    expect(midpoints.size).toBeGreaterThan(tokens.length * 0.9);
  });

  const ROUTES = ['batch-prices-history', 'prices-history', 'data-prices-history'] as const;
  it.each(ROUTES)('has its histories when only %s is left', async (left) => {
    const { markets } = await crawl();
    const tokens = markets.slice(0, 30).map(({ yesTokenId }) => yesTokenId);
    const now = Math.floor(Date.now() / 1_000);
    const range = { start: now - 1.5 * DAY, end: now - DAY, fidelity: 60 };
    const whole = await reads().prices.histories(tokens, range, Date.now() + WITHIN_MS);
    for (const route of ROUTES) {
      if (route !== left) upstream.addFault({ route, kind: 'status', status: 410 });
    }
    const found = await reads().prices.histories(tokens, range, Date.now() + WITHIN_MS);
    const counted = (histories: typeof whole) =>
      tokens.filter((token) => (histories.get(token)?.length ?? 0) > 0).length;
    expect(counted(whole)).toBeGreaterThan(15);
    // The Data API knows trades, not books: a market that nobody traded in that time has none there.
    expect(counted(found)).toBeGreaterThanOrEqual(
      counted(whole) * (left === 'data-prices-history' ? 0.9 : 1),
    );
  });
});
