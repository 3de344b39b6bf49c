import { startSimulatedUpstream } from '../../../local/simulated-upstream.ts';
import { type BenchService, CONTEXT } from '../fixture/bench-service.ts';
import { addressOf, frontDoorEvent } from '../fixture/front-door-event.ts';
import { type PolymarketClient, polymarketClient } from '../fixture/polymarket-client.ts';
import { callsOf } from '../fixture/upstream-calls.ts';
import type { Figure } from '../harness/figure.ts';
import { summary } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const READERS = 200;
const ROUNDS = 8;
/** Longer than a book is kept in memory. */
const PAUSE_MS = 1_500;

/** Other ways to the same data, before the same upstream, which is as slow as the real one. */
export const othersPart: Part = {
  name: 'others',
  summary: 'public projects that do this job',
  quick: false,
  async run({ service }) {
    const bench = await service();
    const upstream = await startSimulatedUpstream({ latency: 'realistic', rateLimits: false });
    try {
      const client = await polymarketClient(upstream.url);
      return client ? await books(bench, client, upstream.url) : [];
    } finally {
      await upstream.close();
    }
  },
};

/** Readers who ask for one and the same book at once, until all of them have it. */
async function books(bench: BenchService, client: PolymarketClient, url: string): Promise<readonly Figure[]> {
  const tokenId = await anyToken(url);
  const invoke = await bench.load('get-order-book', { REQUESTS_PER_MINUTE: 'off', CLOB_URL: url });
  const event = frontDoorEvent({
    path: '/api/clob/order-book',
    query: { token_id: tokenId },
    publicKeyId: bench.publicKeyId,
    sourceIp: addressOf(1),
  });
  const own = async () => {
    const { statusCode, body } = await invoke(event, CONTEXT);
    if (statusCode !== 200) throw new Error(`The order book responded with ${statusCode}`);
    return JSON.parse(body);
  };
  const ours = { ms: [] as number[], calls: 0 };
  const theirs = { ms: [] as number[], calls: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, read] of [
      [ours, own],
      [theirs, () => client.fetchOrderBook({ tokenId })],
    ] as const) {
      const before = await callsOf(url, 'book');
      const started = performance.now();
      await Promise.all(Array.from({ length: READERS }, read));
      side.ms.push(performance.now() - started);
      side.calls += (await callsOf(url, 'book')) - before;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const common = {
    part: 'others',
    against: '@polymarket/client 0.2.0, fetchOrderBook (not sorted)',
  } as const;
  return [
    { ...common, unit: 'ms', what: `a book for ${READERS} readers at once`, ...summary(ours.ms, theirs.ms) },
    {
      ...common,
      unit: 'calls',
      what: 'upstream calls for it',
      ours: ours.calls / ROUNDS,
      theirs: theirs.calls / ROUNDS,
    },
  ];
}

async function anyToken(url: string): Promise<string> {
  const headers = { 'user-agent': 'market-data-proxy-bench/1' };
  const response = await fetch(`${url}/markets/keyset?limit=100&closed=false`, { headers });
  const { markets } = (await response.json()) as {
    readonly markets: readonly { readonly version?: string; readonly clobTokenIds?: string }[];
  };
  const found = markets.find(({ version, clobTokenIds }) => version === 'v1' && clobTokenIds);
  const [token = ''] = JSON.parse(found?.clobTokenIds ?? '[]') as string[];
  return token;
}
