import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MARKET_FIELDS } from '../../lambda/contract/market-schemas.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
}, 60_000);
afterAll(() => service?.close());

/** The target of a link, resolved as a client does. */
function linkOf(link: string | null, rel: string): string | undefined {
  const match = (link ?? '').split(', ').find((part) => part.endsWith(`rel="${rel}"`));
  return match && /^<(.*)>/.exec(match)?.[1];
}

const questions = (markets: { question: string }[]) => markets.map(({ question }) => question);
const entries = (count: number) => Array.from({ length: count }, (_, n) => snapshotEntry(n));

describe('before the first refresh', () => {
  it('the list is 502 and says why, the status is empty', async () => {
    expect(await service.call('/api/markets')).toMatchObject({
      status: 502,
      json: { code: 'snapshot_missing', error: expect.stringContaining('no refresh has succeeded') },
    });
    expect((await service.call('/api/status')).json).toMatchObject({
      status: 'empty',
      asOf: null,
      ageSeconds: null,
      simulated: true,
    });
  });
});

describe('the list', () => {
  let id: string;
  beforeAll(async () => {
    id = await service.publish(entries(12));
  });

  it('is a bare array, five hundred at most without a limit', async () => {
    const { json, headers } = await service.call('/api/markets');
    expect(json).toHaveLength(12);
    expect(headers.get('x-total-count')).toBe('12');
  });

  it('pages by limit and offset', async () => {
    const { json } = await service.call('/api/markets?limit=3&offset=4');
    expect(questions(json)).toEqual([4, 5, 6].map((n) => `Will event ${n} happen?`));
    expect((await service.call('/api/markets?offset=12')).json).toEqual([]);
    expect((await service.call('/api/markets?limit=1&foo=bar')).json).toHaveLength(1);
  });

  it('walks over one snapshot although newer ones are published', async () => {
    const first = await service.call('/api/markets?limit=5');
    const seen = questions(first.json);
    await service.publish(entries(3));
    let next = linkOf(first.headers.get('link'), 'next');
    expect(linkOf(first.headers.get('link'), 'prev')).toBeUndefined();
    for (let pages = 1; next; pages++) {
      expect(pages).toBeLessThan(4);
      const page = await service.call(next);
      seen.push(...questions(page.json));
      next = linkOf(page.headers.get('link'), 'next');
    }
    expect(seen).toEqual(questions(entries(12).map(({ market }) => market)));
    const again = await service.call(`/api/markets?snapshot=${id}&limit=2`);
    expect(again.headers.get('x-total-count')).toBe('12');
  });

  it('responds with 410 for a snapshot that is no longer kept, 400 for what is none', async () => {
    expect(await service.call('/api/markets?snapshot=20200101T000000000Z-00000000')).toMatchObject({
      status: 410,
      json: { code: 'snapshot_gone' },
    });
    expect(await service.call('/api/markets?snapshot=abc')).toMatchObject({ status: 400 });
  });

  it.each(['limit=0', 'limit=x', 'limit=', 'offset=-1', 'offset=1.5', 'limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await service.call(`/api/markets?${query}`);
      expect(status).toBe(400);
      expect(json.error).toContain(query.split('=')[0]);
    },
  );

  it('can be asked for conditionally', async () => {
    const first = await service.call(`/api/markets?snapshot=${id}`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const headers = { 'if-none-match': `"other", ${etag}` };
    const second = await service.call(`/api/markets?snapshot=${id}`, { headers });
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await service.call(`/api/markets?snapshot=${id}&limit=1`, { headers });
    expect(other.status).toBe(200);
    const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
    expect((await service.call(`/api/markets?snapshot=${id}`, { headers: since })).status).toBe(304);
  });

  it('may be kept by a browser until the data is two minutes old, and by nobody else', async () => {
    const { headers } = await service.call('/api/markets');
    const match = /^public, max-age=(\d+), s-maxage=0, stale-if-error=0$/.exec(
      headers.get('cache-control') ?? '',
    );
    const age = (Date.now() - Date.parse(headers.get('last-modified') ?? '')) / 1_000;
    expect(Number(match?.[1])).toBeLessThanOrEqual(120 - age + 2);
    expect(Number(match?.[1])).toBeGreaterThan(60);
  });

  it('is compressed when asked for', async () => {
    const plain = await fetch(`${service.service.url}/api/markets`, {
      headers: { 'accept-encoding': 'identity' },
    });
    const packed = await fetch(`${service.service.url}/api/markets`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ]);
    expect(packed.headers.get('vary')).toBe('Accept-Encoding, Accept');
    expect(await packed.text()).toBe(await plain.text());
  });

  it('responds to HEAD with the same headers and no body', async () => {
    const { status, text, headers } = await service.call(`/api/markets?snapshot=${id}`, { method: 'HEAD' });
    expect([status, text, headers.get('x-total-count')]).toEqual([200, '', '12']);
  });
});

describe('data that is too old', () => {
  it('is not served: 502 with its age; the status tells', async () => {
    const old = await TestService.start();
    try {
      await old.publish(entries(3), 200);
      const { status, json, headers } = await old.call('/api/markets');
      expect([status, json.code, headers.get('cache-control')]).toEqual([502, 'snapshot_stale', 'no-store']);
      expect(json.error).toMatch(/is 20\d s old/);
      expect((await old.call('/api/status')).json).toMatchObject({ status: 'stale', markets: 3 });
      await old.publish(entries(2));
      expect((await old.call('/api/markets')).json).toHaveLength(2);
      expect((await old.call('/api/status')).json).toMatchObject({ status: 'ok', markets: 2 });
    } finally {
      await old.close();
    }
  }, 60_000);
});

describe('a refresh', () => {
  it('publishes the markets of the upstream with prices of the order book', async () => {
    expect(await service.service.refresh()).toMatchObject({ ok: true });
    // Named, since the containers hold an older one for some seconds.
    const { snapshotId } = service.logs.findLast(({ keys }) => 'snapshotId' in keys)?.keys ?? {};
    const { status, json, headers } = await service.call(`/api/markets?snapshot=${snapshotId}`);
    expect(status).toBe(200);
    expect(json.length).toBeGreaterThan(100);
    expect(headers.get('x-total-count')).toBe(String(json.length));
    const volumes = json.map(({ volume }: { volume: number }) => volume);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(json.slice(0, 20).some((market: object) => 'sevenDayPriceChange' in market)).toBe(true);
    expect(json.slice(20).some((market: object) => 'sevenDayPriceChange' in market)).toBe(false);
    expect(
      json.some((market: { oneDayPriceChange: unknown }) => typeof market.oneDayPriceChange === 'number'),
    ).toBe(true);
    // Each field that the document has: one that is described and never read would be missed by callers alone.
    const all = await service.call(`/api/markets?snapshot=${snapshotId}&fields=all&limit=500`);
    const served = new Set(all.json.flatMap((market: object) => Object.keys(market)));
    expect(MARKET_FIELDS.filter((field) => !served.has(field))).toEqual([]);
  });
});
