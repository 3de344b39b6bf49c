import { describe, expect, it } from '@jest/globals';
import { ApiError, createClient } from '../src/index.ts';
import { FakeTiming, failure, fakeService, json, type Responder } from './support/fake-service.ts';

const SNAPSHOT = '20261121T120000000Z-00000001';
const NEWER = '20261121T120100000Z-00000002';

function clientOf(responder: Responder, baseUrl = 'http://service') {
  const timing = new FakeTiming();
  const service = fakeService(responder);
  const client = createClient({ baseUrl, fetch: service.fetch, timing, retries: 0, etagsKept: 0 });
  return { client, timing, ...service };
}

function market(n: number, volume: number) {
  return {
    id: `0x${String(n).padStart(64, '0')}`,
    question: `Question ${n}?`,
    currentProbability: 50,
    volume,
    liquidity: 1,
    oneDayPriceChange: null,
    endDate: '2027-01-01T00:00:00Z',
    clobTokenId: String(n),
  };
}

/** Pages of two over five markets, as the service links them. */
const paged: Responder = (_, url) => {
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const all = [5, 4, 3, 2, 1].map((n) => market(n, n));
  const link = (rel: string, to: number) =>
    `</api/markets?limit=2&offset=${to}&snapshot=${SNAPSHOT}>; rel="${rel}"`;
  const links = [link('first', 0), ...(offset + 2 < 5 ? [link('next', offset + 2)] : [])];
  return json(all.slice(offset, offset + 2), {
    link: links.join(', '),
    'x-total-count': '5',
    'last-modified': 'Sat, 21 Nov 2026 11:59:30 GMT',
    date: 'Sat, 21 Nov 2026 12:00:00 GMT',
    ratelimit: '"per-ip";r=41;t=30',
  });
};

describe('a result', () => {
  it('tells how old the data is, of which snapshot, how many there are and what is left of the limit', async () => {
    const { client } = clientOf(paged);
    const { data, ageSeconds, asOf, snapshot, total, requestsLeft } = await client.markets({ limit: 2 });
    expect(data.map(({ volume }) => volume)).toEqual([5, 4]);
    expect({ ageSeconds, snapshot, total, requestsLeft }).toEqual({
      ageSeconds: 30,
      snapshot: SNAPSHOT,
      total: 5,
      requestsLeft: 41,
    });
    expect(asOf?.toISOString()).toBe('2026-11-21T11:59:30.000Z');
  });

  it('keeps a path that the service has in front of its own', async () => {
    const { client, requests } = clientOf(paged, 'http://service/dev/');
    await client.markets();
    expect(new URL(String(requests[0]?.url)).pathname).toBe('/dev/api/markets');
  });
});

describe('order books', () => {
  it('of several tokens are one request, and null where there is none', async () => {
    const book = { bids: [], asks: [] };
    const { client, requests } = clientOf(() => json({ 1: book, 2: null }));
    expect((await client.orderBooks(['1', '2'], { depth: 3 })).data).toEqual({ 1: book, 2: null });
    const { pathname, search } = new URL(String(requests[0]?.url));
    expect([requests.length, pathname, search]).toEqual([
      1,
      '/api/clob/order-books',
      '?depth=3&token_id=1,2',
    ]);
  });
});

describe('pages', () => {
  it('walks to the end within one snapshot', async () => {
    const { client, requests } = clientOf(paged);
    const volumes: number[] = [];
    for await (const page of client.pages({ limit: 2 }))
      volumes.push(...page.data.map(({ volume }) => volume));
    expect(volumes).toEqual([5, 4, 3, 2, 1]);
    expect(requests.slice(1).every(({ url }) => url.includes(`snapshot=${SNAPSHOT}`))).toBe(true);
  });

  const gone: Responder = (request, url) =>
    url.searchParams.get('offset') === '2' ? failure(410, 'snapshot_gone') : paged(request, url);

  it('tells that the snapshot is gone', async () => {
    const { client } = clientOf(gone);
    const walk = async () => {
      for await (const _ of client.pages({ limit: 2 }));
    };
    await expect(walk()).rejects.toMatchObject({ code: 'snapshot_gone', status: 410 });
  });

  it('begins again when it was asked to', async () => {
    let left = 1;
    const { client } = clientOf((request, url) => (left-- === 0 ? gone(request, url) : paged(request, url)));
    const volumes: number[] = [];
    for await (const page of client.pages({ limit: 2 }, { whenGone: 'restart' })) {
      volumes.push(...page.data.map(({ volume }) => volume));
    }
    expect(volumes).toEqual([5, 4, 5, 4, 3, 2, 1]);
  });
});

describe('errors', () => {
  it('have the code, the sentence and the id of the request', async () => {
    const { client } = clientOf(() => failure(404, 'no_order_book'));
    const error = await client.orderBook('1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'It is no_order_book.',
      code: 'no_order_book',
      status: 404,
      requestId: 'r-1',
    });
    expect(ApiError.is(error, 'no_order_book')).toBe(true);
    expect(ApiError.is(error, 'rate_limited')).toBe(false);
  });

  it('are typed also where something else responded in the place of the service', async () => {
    const { client } = clientOf(() => new Response('<html>', { status: 503 }));
    await expect(client.status()).rejects.toMatchObject({ code: 'http_503', status: 503 });
  });
});

describe('follow', () => {
  const changes = {
    from: SNAPSHOT,
    to: NEWER,
    asOf: '2026-11-21T12:01:00Z',
    added: [market(9, 9)],
    changed: [{ id: market(1, 0).id, volume: 4.5, oneDayPriceChange: 2 }],
    removed: [market(3, 0).id],
  };

  it('reads the list once, and then yields a copy that is current', async () => {
    const { client, requests } = clientOf((request, url) =>
      url.pathname.endsWith('/changes') ? json(changes) : paged(request, url),
    );
    const seen: (readonly [string, readonly number[]])[] = [];
    for await (const { snapshot, markets } of client.follow({ everySeconds: 60 })) {
      seen.push([snapshot, markets.map(({ volume }) => volume)]);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([
      [SNAPSHOT, [5, 4, 3, 2, 1]],
      [NEWER, [9, 5, 4.5, 4, 2]],
    ]);
    expect(requests.filter(({ url }) => url.includes('/changes'))).toHaveLength(1);
  });

  it('reads everything again when it was away for too long, and tells of a failed poll', async () => {
    const codes = ['snapshot_stale', 'snapshot_gone'];
    const { client } = clientOf((request, url) => {
      if (!url.pathname.endsWith('/changes')) return paged(request, url);
      const code = codes.shift() ?? '';
      return failure(code === 'snapshot_gone' ? 410 : 502, code);
    });
    const errors: unknown[] = [];
    const yielded: unknown[] = [];
    for await (const { changes } of client.follow({ onError: (error) => errors.push(error) })) {
      yielded.push(changes);
      if (yielded.length === 2) break;
    }
    expect(yielded).toEqual([undefined, undefined]);
    expect(errors).toMatchObject([{ code: 'snapshot_stale' }]);
  });

  it('ends when it is told to', async () => {
    const abort = new AbortController();
    const { client } = clientOf(paged);
    for await (const _ of client.follow({ signal: abort.signal })) abort.abort();
    expect(abort.signal.aborted).toBe(true);
  });
});
