import autocannon from 'autocannon';
import { constantServer } from '../fixture/servers.ts';
import { summary } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const CONNECTIONS = 10;

/** The whole service on this machine over HTTP, limit off, against a server that sends the same bytes. */
export const httpPart: Part = {
  name: 'http',
  summary: 'the whole service over HTTP (autocannon)',
  quick: false,
  async run({ service }) {
    const { service: local } = await service();
    const path = '/api/markets?limit=500';
    const headers = local.publicKey === undefined ? {} : { 'x-api-key': local.publicKey };
    const body = await (await fetch(`${local.url}${path}`, { headers })).text();
    const bare = await constantServer(body);
    const ours: number[] = [];
    const theirs: number[] = [];
    try {
      for (let round = 0; round < 6; round++) {
        const own = await load(`${local.url}${path}`, headers);
        const plain = await load(bare.url, {});
        ours.push(own);
        theirs.push(plain);
      }
    } finally {
      await bare.close();
    }
    const figures = summary(theirs, ours);
    return [
      {
        part: 'http',
        unit: 'req/s',
        what: 'GET /api/markets?limit=500',
        against: 'a bare node:http server that sends the same bytes',
        ours: figures.theirs,
        theirs: figures.ours,
        ratio: figures.ratio,
        spread: figures.spread,
        note: 'The gap is the emulation: gateway, keys and throttle in one process, the function in a thread of its own, each event and result copied as JSON between them, gzip by the gateway. None of it is deployed.',
      },
    ];
  },
};

/** Requests a second that got a response. */
async function load(url: string, headers: Record<string, string>): Promise<number> {
  const { requests } = await autocannon({ url, headers, connections: CONNECTIONS, duration: 2 });
  return requests.average;
}
