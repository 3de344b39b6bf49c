import { createSearchIndex } from '../../../lambda/search/search-index.ts';
import { CONTEXT } from '../fixture/bench-service.ts';
import { frontDoorEvent } from '../fixture/front-door-event.ts';
import { scan } from '../fixture/scan.ts';
import { openSnapshots } from '../fixture/snapshots.ts';
import { paired, timesFaster } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';
import { generatedMarkets } from '../search/generated-markets.ts';

const QUERIES = ['bitcoin', 'btc 150k', 'eth', 'etherium', 'election', 'senate primary', 'zzzzqqqq'];
const RESULTS = 20;
const LARGE = 50_000;
const LARGE_QUICK = 10_000;

const queryOf = (run: number) => QUERIES[run % QUERIES.length] ?? '';

/** A warm search, against the library under it and against looking at every question. */
export const searchPart: Part = {
  name: 'search',
  summary: 'warm search-markets',
  quick: true,
  async run({ quick, service }) {
    const bench = await service();
    const search = await bench.load('search-markets', { REQUESTS_PER_MINUTE: 'off' });
    // Made beforehand: Lambda hands them over.
    const events = QUERIES.map((q) =>
      frontDoorEvent({
        path: '/api/markets/search',
        query: { q, limit: String(RESULTS) },
        publicKeyId: bench.publicKeyId,
      }),
    );
    const event = (run: number) => events[run % events.length];
    const first = await search(event(0), CONTEXT);
    if (first.statusCode !== 200) throw new Error(`The search responded with ${first.statusCode}`);
    const snapshots = openSnapshots(bench);
    const { list, records } = await snapshots.read();
    snapshots.close();
    const bare = createSearchIndex([...records]);
    const warm = await paired({
      ours: async (run) => JSON.stringify(await search(event(run), CONTEXT)),
      // The same results in the same form, without a service around them.
      theirs: (run) => {
        const { positions } = bare.search(queryOf(run), RESULTS);
        return JSON.stringify({ statusCode: 200, body: list.pick(positions) });
      },
      rounds: quick ? 32 : 80,
      batch: QUERIES.length * 4,
      clock: 'cpu',
    });
    const size = quick ? LARGE_QUICK : LARGE;
    const many = generatedMarkets(size);
    const index = createSearchIndex(many);
    const large = await paired({
      ours: (run) => index.search(queryOf(run), RESULTS),
      theirs: (run) => scan(many, queryOf(run), RESULTS),
      rounds: quick ? 16 : 40,
      batch: QUERIES.length,
      clock: 'cpu',
    });
    return [
      {
        part: 'search',
        unit: 'ms',
        what: '2,000 markets, 20 results',
        against: 'the search index called bare, its results encoded',
        ...warm,
        goal: { most: 1.3 },
      },
      {
        part: 'search',
        unit: 'ms',
        what: `${size.toLocaleString('en')} markets, times faster`,
        against: 'a scan over all questions',
        ...timesFaster(large),
        goal: { least: 5 },
      },
    ];
  },
};
