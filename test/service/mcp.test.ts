import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { callTool, mcpClient } from './support/mcp-client.ts';
import { TestService } from './support/test-service.ts';

/** Characters that make a token, at least (see the test of the tools). */
const CHARACTERS_A_TOKEN = 3;
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

let service: TestService;
let clients: Readonly<Record<(typeof REVISIONS)[number], Client>>;

beforeAll(async () => {
  service = await TestService.start({
    environment: { REQUESTS_PER_MINUTE: 'off' },
    upstream: { markets: 400 },
  });
  await service.service.refresh();
  clients = {
    '2025-11-25': await mcpClient(service.service.url, { modern: false }),
    '2026-07-28': await mcpClient(service.service.url, { modern: true }),
  };
}, 120_000);
afterAll(async () => {
  for (const client of Object.values(clients ?? {})) await client.close();
  await service?.close();
});

interface Found {
  readonly id: string;
  readonly slug?: string;
  readonly question: string;
  readonly clobTokenId: string;
  readonly eventSlug?: string;
}

/** Condition ids of the markets that upstream says are over. */
async function closedIds(): Promise<ReadonlySet<string>> {
  const response = await fetch(`${service.upstream.url}/markets/keyset?closed=true&limit=100`, {
    headers: { 'user-agent': 'market-data-proxy-test' },
  });
  const { markets } = (await response.json()) as { markets: { conditionId: string }[] };
  return new Set(markets.map(({ conditionId }) => conditionId));
}

describe.each(REVISIONS)('an agent that speaks %s', (revision) => {
  const call = (name: string, sent?: Record<string, unknown>) => callTool(clients[revision], name, sent);

  it('goes from a list to a market, its event, its book and its history', async () => {
    expect(clients[revision].getNegotiatedProtocolVersion()).toBe(revision);
    const [listed]: Found[] = (await call('list_markets', { limit: 1 })).result.markets;
    const { market } = (await call('get_market', { id: listed?.id })).result;
    expect(market).toMatchObject({ id: listed?.id, outcomes: expect.any(Array) });
    const event = (await call('get_event', { slug: market.eventSlug })).result;
    expect(event.markets.length).toBeGreaterThan(0);
    const book = (await call('order_book', { token_id: market.clobTokenId })).result;
    expect(book.bids.concat(book.asks)[0]).toEqual([expect.any(Number), expect.any(Number)]);
    const history = (await call('price_history', { token_id: market.clobTokenId })).result;
    expect(history.points.length).toBeGreaterThan(1);
    expect((await call('market_status')).result).toMatchObject({ status: 'ok' });
  });
});

describe('fifty questions', () => {
  it('get no market that is closed and nothing older than two minutes, in few tokens', async () => {
    const closed = await closedIds();
    expect(closed.size).toBeGreaterThan(0);
    const client = clients['2026-07-28'];
    const listed: Found[] = (
      await callTool(client, 'list_markets', {
        limit: 40,
        fields: ['id', 'question', 'eventSlug', 'clobTokenId'],
      })
    ).result.markets;
    const sorts = [
      'volume',
      'volume24h',
      'liquidity',
      'probability',
      'endDate',
      'newest',
      'spread',
      'move1d',
    ];
    const categories = ['election', 'crypto', 'sports', 'economics', 'tech'];
    const questions: [tool: string, sent: Record<string, unknown>][] = [
      ...sorts.flatMap((sort): [string, Record<string, unknown>][] => [
        ['list_markets', { sort }],
        ['list_markets', { sort, order: 'asc' }],
      ]),
      ...categories.flatMap((word): [string, Record<string, unknown>][] => [
        ['search_markets', { q: word }],
        ['list_markets', { category: word }],
      ]),
      ...listed
        .slice(0, 8)
        .map(({ question }): [string, Record<string, unknown>] => [
          'search_markets',
          { q: question.slice(0, 60) },
        ]),
      ...listed.slice(0, 8).map(({ id }): [string, Record<string, unknown>] => ['get_market', { id }]),
      ...listed
        .slice(8, 14)
        .map(({ eventSlug }): [string, Record<string, unknown>] => ['get_event', { slug: eventSlug }]),
      ['list_markets', { endsBefore: '+30d', minVolume: 1_000 }],
      ['list_markets', { ids: [...closed, listed[0]?.id] }],
    ];
    expect(questions).toHaveLength(50);
    const lengths: number[] = [];
    for (const [tool, sent] of questions) {
      const { result, error, text } = await callTool(client, tool, sent);
      expect({ tool, sent, error }).toEqual({ tool, sent, error: undefined });
      expect(result.ageSeconds).toBeLessThanOrEqual(120);
      const found: Found[] = result.markets ?? [result.market];
      expect(found.filter(({ id }) => closed.has(id))).toEqual([]);
      lengths.push(text.length / CHARACTERS_A_TOKEN);
    }
    const median = lengths.sort((a, b) => a - b)[25] ?? 0;
    console.log(`median of ${Math.round(median)} tokens, at most ${Math.round(lengths.at(-1) ?? 0)}`);
    expect(median).toBeLessThanOrEqual(1_500);
  }, 60_000);

  it('for a closed market the agent is told to look for an open one', async () => {
    const [closed] = await closedIds();
    const { error } = await callTool(clients['2026-07-28'], 'get_market', { id: closed });
    expect(error).toMatch(/No open market.*search_markets/);
  });
});

describe('the endpoint', () => {
  it.each(['GET', 'DELETE', 'PUT'])('refuses %s with 405 and says what it takes', async (method) => {
    const response = await fetch(`${service.service.url}/mcp`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('can be called by nobody around the front door without a key', async () => {
    const around = await fetch(`${service.service.apiUrl}/mcp`, { method: 'POST', body: '{}' });
    expect(around.status).toBe(403);
  });

  it('takes no body of more than 20,000 characters', async () => {
    const response = await fetch(`${service.service.url}/mcp`, { method: 'POST', body: 'x'.repeat(20_001) });
    expect(response.status).toBe(413);
  });
});

describe('/llms.txt', () => {
  it('tells a model where everything is', async () => {
    const { status, text, headers } = await service.call('/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Market Data Proxy\n\n> /);
    for (const path of ['/mcp', '/api/markets', '/api/clob/order-book', '/openapi.json'])
      expect(text).toContain(path);
  });
});
