import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manyEntries } from '../../support/many-entries.ts';
import { TestService } from '../support/test-service.ts';

/** Lambda's limit for a whole result; the local server keeps it, too. */
const LAMBDA_BYTES = 6 * 1_024 * 1_024;
const SLOW = 180_000;

/** The page that a `Link` header leads on to. */
function nextOf(headers: Headers): string | undefined {
  const link = (headers.get('link') ?? '').split(', ').find((part) => part.endsWith('rel="next"'));
  return link && /^<(.*)>/.exec(link)?.[1];
}

describe.each([50_000])('a snapshot of %i markets', (markets) => {
  const entries = manyEntries(markets);
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.publish(entries);
  }, SLOW);
  afterAll(() => service?.close());

  it(
    'is walked through by pages that are cut to what Lambda can return, each market exactly once',
    async () => {
      const seen: string[] = [];
      let path: string | undefined = `/api/markets?limit=${markets}`;
      for (let page = 1; path !== undefined; page++) {
        expect(page).toBeLessThan(10);
        // Not `call`: holding each market against the document would take longer than all the rest.
        const response: Response = await fetch(`${service.service.url}${path}`);
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(response.headers.get('x-total-count')).toBe(String(markets));
        expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(LAMBDA_BYTES);
        seen.push(...JSON.parse(text).map((market: unknown) => JSON.stringify(market)));
        path = nextOf(response.headers);
        // As full as it can be: a page that was cut short is cut by Lambda's limit and nothing else.
        if (path !== undefined) expect(Buffer.byteLength(JSON.stringify(text))).toBeGreaterThan(5_900_000);
      }
      const expected = entries.map(({ market }) => JSON.stringify(market));
      expect(seen.length).toBe(expected.length);
      expect(seen.findIndex((market, n) => market !== expected[n])).toBe(-1);
    },
    SLOW,
  );

  it(
    'is paged, searched and told of like any other',
    async () => {
      const last = await service.call(`/api/markets?limit=7&offset=${markets - 3}`);
      expect(last.json.map(({ id }: { id: string }) => id)).toEqual(
        entries.slice(-3).map(({ market }) => market.id),
      );
      expect((await service.call('/api/markets')).json).toHaveLength(500);
      const wanted = entries[markets - 5]?.market;
      const found = await service.call(
        `/api/markets/search?q=${encodeURIComponent(wanted?.question.slice(0, 60).toWellFormed() ?? '')}`,
      );
      expect(found.json[0]).toEqual(JSON.parse(JSON.stringify(wanted)));
      expect((await service.call('/api/markets/search?q=crypto&limit=50')).json).toHaveLength(50);
      expect((await service.call('/api/status')).json).toMatchObject({ status: 'ok', markets });
    },
    SLOW,
  );
});

describe('the most markets of a snapshot', () => {
  it.each([1, 4_000])(
    'are %i where the stage says so',
    async (markets) => {
      const service = await TestService.start({
        upstream: { markets: 5_000 },
        environment: { SNAPSHOT_MAX_MARKETS: String(markets) },
      });
      try {
        expect(await service.service.refresh()).toMatchObject({ ok: true });
        expect((await service.call('/api/status')).json).toMatchObject({ status: 'ok', markets });
        const { json, headers } = await service.call('/api/markets');
        expect(json).toHaveLength(Math.min(markets, 500));
        expect(headers.get('x-total-count')).toBe(String(markets));
      } finally {
        await service.close();
      }
    },
    SLOW,
  );
});
