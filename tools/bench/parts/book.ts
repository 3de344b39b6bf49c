import { type BenchService, CONTEXT } from '../fixture/bench-service.ts';
import { addressOf, frontDoorEvent } from '../fixture/front-door-event.ts';
import { bareProxy, functionServer } from '../fixture/servers.ts';
import { callsOf as upstreamCalls } from '../fixture/upstream-calls.ts';
import { paired } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const AGENT = { 'user-agent': 'market-data-proxy-bench/1' };
/** Callers at once, and the markets they ask for, when upstream's calls are counted. */
const CALLERS = 200;
const WANTED = 5;

/** The order-book proxy over HTTP, against a plain reverse proxy before the same upstream. */
export const bookPart: Part = {
  name: 'book',
  summary: 'order-book proxy, warm',
  quick: true,
  async run({ quick, service }) {
    const bench = await service();
    const tokens = await tokensOf(bench);
    const invoke = await bench.load('get-order-book', { REQUESTS_PER_MINUTE: 'off' });
    const own = await functionServer((query) =>
      invoke(
        frontDoorEvent({
          path: '/api/clob/order-book',
          query,
          publicKeyId: bench.publicKeyId,
          sourceIp: addressOf(1),
        }),
        CONTEXT,
      ),
    );
    const plain = await bareProxy(bench.upstreamUrl, AGENT);
    const book = async (url: string, path: string, token: string) => {
      const response = await fetch(`${url}${path}?token_id=${token}`);
      await response.text();
      if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
    };
    const ours = (token: string) => book(own.url, '/', token);
    const theirs = (token: string) => book(plain.url, '/book', token);
    try {
      // Never a book that was asked for a moment before: nothing is served from memory.
      let asked = 0;
      const tokenOf = (run: number) => {
        asked = Math.max(asked, run);
        return tokens[run % tokens.length] ?? '';
      };
      const warm = await paired({
        ours: (run) => ours(tokenOf(run)),
        theirs: (run) => theirs(tokenOf(run)),
        rounds: quick ? 48 : 160,
      });
      const callsOf = async (ask: (token: string) => Promise<void>): Promise<number> => {
        const before = await upstreamCalls(bench.upstreamUrl, 'book');
        await Promise.all(Array.from({ length: CALLERS }, (_, n) => ask(oldest[n % WANTED] ?? '')));
        return (await upstreamCalls(bench.upstreamUrl, 'book')) - before;
      };
      // Those that were asked for longest ago.
      const oldest = Array.from({ length: WANTED }, (_, n) => tokens[(asked + 1 + n) % tokens.length]);
      const calls = { theirs: await callsOf(theirs), ours: await callsOf(ours) };
      return [
        {
          part: 'book',
          unit: 'ms',
          what: 'a book that nobody has just asked for',
          against: 'a plain Node reverse proxy before the same upstream',
          ...warm,
          goal: { most: 1.2 },
        },
        {
          part: 'book',
          unit: 'calls',
          what: `upstream calls for ${CALLERS} callers at once, ${WANTED} books`,
          against: 'a plain Node reverse proxy',
          ...calls,
          ratio: calls.ours / calls.theirs,
          goal: { most: 0.5 },
        },
      ];
    } finally {
      await own.close();
      await plain.close();
    }
  },
};

async function tokensOf({ upstreamUrl }: BenchService): Promise<readonly string[]> {
  const query = 'limit=100&order=volumeNum&ascending=false&closed=false';
  const response = await fetch(`${upstreamUrl}/markets/keyset?${query}`, { headers: AGENT });
  const { markets } = (await response.json()) as {
    readonly markets: readonly {
      readonly version?: string;
      readonly clobTokenIds?: string;
      readonly acceptingOrders: boolean;
    }[];
  };
  return markets.flatMap(({ version, clobTokenIds, acceptingOrders }) =>
    version === 'v1' && acceptingOrders && typeof clobTokenIds === 'string' && clobTokenIds !== ''
      ? (JSON.parse(clobTokenIds) as string[])
      : [],
  );
}
