import { SNAPSHOT_MARKETS_DEFAULT } from '../../../lambda/contract/constants.ts';
import { TableSnapshot } from '../../../lambda/snapshots/codec.ts';
import { tableOf } from '../../../lambda/snapshots/stored-markets.ts';
import { manyEntries } from '../../../test/support/many-entries.ts';
import { paired } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';
import { endpointOf } from '../responses.ts';

const PAGE = 2_000;
const OFFSETS = 50;
/** As many markets as a stage may ask for. */
const LARGEST = 50_000;
/** What nearly every market fulfils, so that the pages have the same size, sorted by what changes most often. */
const QUERY = { minVolume: 1, minProbability: 1, sort: 'move1d' } as const;

/** A page that was filtered and sorted, beside a plain one of the same size. */
export const queryPart: Part = {
  name: 'query',
  summary: 'a filtered and sorted page beside a plain one',
  quick: true,
  async run({ quick }) {
    const common = { part: 'query', unit: 'ms', against: 'the plain page of the same size' } as const;
    const measure = async (markets: number) => {
      const list = endpointOf(new TableSnapshot(tableOf(manyEntries(markets))), Date.now());
      const ask = async (query: object, run: number) => {
        // Another page each time: one that was asked for a moment ago is remembered.
        const parameters = { limit: PAGE, offset: run % OFFSETS, ...query };
        // The body is read, as Lambda does to send it.
        return JSON.stringify(await list({ parameters, sent: {}, headers: {}, path: '/api/markets' }));
      };
      return await paired({
        ours: (run) => ask(QUERY, run),
        theirs: (run) => ask({}, run),
        rounds: quick ? 32 : 80,
        batch: 4,
        clock: 'cpu',
      });
    };
    const usual = await measure(SNAPSHOT_MARKETS_DEFAULT);
    const { ours, theirs } = await measure(LARGEST);
    return [
      { ...common, what: 'a page of 2,000 out of 2,000 markets', ...usual, goal: { most: 2 } },
      {
        ...common,
        what: 'a page of 2,000 out of 50,000 markets',
        ours,
        theirs,
        goal: { most: 10 },
        note: 'The goal is one of time, not of the ratio.',
      },
    ];
  },
};
