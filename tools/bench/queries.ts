import { TableSnapshot } from '../../lambda/snapshots/codec.ts';
import { tableOf } from '../../lambda/snapshots/stored-markets.ts';
import { manyEntries } from '../../test/support/many-entries.ts';
import { endpointOf } from './responses.ts';
import { ms, table, timed } from './timing.ts';

const RUNS = 60;
const PAGE = 2_000;

const QUERIES = {
  plain: {},
  'filtered and sorted': { minVolume: 1, minProbability: 1, sort: 'move1d' },
  'of a category, by end date': { category: 'crypto', sort: 'endDate' },
} as const;

/** What a page costs that was filtered and sorted, beside a plain one of the same size in the same run. */
export async function benchQueries(markets: number, now: number): Promise<string> {
  const list = endpointOf(new TableSnapshot(tableOf(manyEntries(markets))), now);
  const ask = async (query: object) => {
    const parameters = { limit: PAGE, offset: 0, ...query };
    const response = await list({ parameters, sent: {}, headers: {}, path: '/api/markets' });
    return JSON.stringify(response); // reads the body, as Lambda does to send it
  };
  const rows: string[][] = [];
  let plain = 0;
  for (const [name, query] of Object.entries(QUERIES)) {
    const { median, p99 } = await timed(RUNS, () => ask(query));
    plain ||= median;
    rows.push([name, ms(median), ms(p99), `${(median / plain).toFixed(2)} × plain`]);
  }
  return table(`A page of ${PAGE} out of ${markets} markets (median, p99)`, rows);
}
