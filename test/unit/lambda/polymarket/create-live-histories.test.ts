import { describe, expect, it } from '@jest/globals';
import { createUpstream } from '../../../../lambda/http-client/create-upstream.ts';
import { createLiveHistories } from '../../../../lambda/polymarket/create-live-histories.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const REQUEST = { kind: 'window', start: 1_000, end: 2_000, newest: false, fidelity: 15 } as const;
const BODIES: Readonly<Record<string, unknown>> = {
  '/prices-history': { history: [{ t: 1_500, p: 0.1 }] },
  '/batch-prices-history': { history: { 7: [{ t: 1_500, p: 0.2 }] } },
  '/v2/prices-history': { data: [{ timestamp: 1_500, price: 0.3 }], pagination: {} },
};

/** The live histories with CLOB and the Data API, of which some paths are gone. */
function rig(...gone: string[]) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const upstream = (name: 'clob' | 'data') =>
    createUpstream(name, {
      baseUrl: `http://${name}.example`,
      fetch: async (url) => {
        const { hostname, pathname } = new URL(url);
        asked.push(`${hostname}${pathname}`);
        return gone.includes(pathname)
          ? new Response('', { status: 404 })
          : new Response(JSON.stringify(BODIES[pathname]));
      },
      clock,
      random: () => 0,
    });
  const histories = createLiveHistories({ clob: upstream('clob'), data: upstream('data') }, clock);
  return { asked, read: () => histories.points('7', REQUEST, clock.now() + 4_000) };
}

describe('the history of a caller who waits', () => {
  it("comes from the single route, which upstream caches, then from the batch, then from the Data API's", async () => {
    const paths = ['/prices-history', '/batch-prices-history'];
    expect(await rig().read()).toEqual([{ t: 1_500, p: 0.1 }]);
    expect(await rig(...paths.slice(0, 1)).read()).toEqual([{ t: 1_500, p: 0.2 }]);
    const last = rig(...paths);
    expect(await last.read()).toEqual([{ t: 1_500, p: 0.3 }]);
    expect(last.asked).toEqual([
      'clob.example/prices-history',
      'clob.example/batch-prices-history',
      'data.example/v2/prices-history',
    ]);
  });

  it('is kept where its window has ended', async () => {
    const { asked, read } = rig();
    expect(await read()).toEqual(await read());
    expect(asked).toHaveLength(1);
  });
});
