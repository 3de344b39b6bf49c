import type { DatasetChange, FaultSpec } from 'polymarket-simulator';

/** Something that goes wrong. Its faults are set when it begins and cleared when it ends. */
export interface ChaosScenario {
  /** What goes wrong, as a sentence. */
  readonly title: string;
  /** What a person should see, as a sentence. */
  readonly expect: string;
  readonly faults: readonly FaultSpec[];
  readonly dataset?: DatasetChange;
  /** How many runs, begun under the faults, it waits for; or, with `untilStale`, at most one interval longer than data is served. */
  readonly refreshes: number;
  readonly untilStale?: true;
}

const CATALOGUE = 'markets-keyset';
const HISTORIES = 'batch-prices-history';

/** What `npm start -- --chaos` runs, in this order. */
export const SCENARIOS: readonly ChaosScenario[] = [
  {
    title: 'Nothing is wrong.',
    expect: 'every run publishes a snapshot; the status is ok and the list is 200.',
    faults: [],
    refreshes: 1,
  },
  {
    title: 'Three pages of the catalogue fail with 500, once each.',
    expect: 'each page is tried again, and the run publishes as ever.',
    faults: [{ route: CATALOGUE, kind: 'status', status: 500, times: 3 }],
    refreshes: 1,
  },
  {
    title: 'The catalogue responds to everything with 429 and an HTML page.',
    expect:
      'runs keep trying and publish nothing; readers keep the last snapshot, status ok, until it is too old: then stale, and 502 with its age.',
    faults: [{ route: CATALOGUE, kind: 'html', status: 429 }],
    refreshes: 0,
    untilStale: true,
  },
  {
    title: 'The catalogue is back.',
    expect: 'the runs that kept trying publish within seconds: status ok and 200 again, with nobody’s help.',
    faults: [],
    refreshes: 1,
  },
  {
    title: 'Every midpoint is nonsense: 1.5, NaN, an empty text.',
    expect: 'no wrong price is published: the catalogue’s prices stand in, and the status counts them.',
    faults: [{ route: 'midpoints', kind: 'midpoints-invalid', share: 1 }],
    refreshes: 1,
  },
  {
    title:
      'A third of the catalogue’s markets is broken, and one connection in five breaks in the middle of a body.',
    expect: 'what is broken is skipped and counted, what was cut off is read again; the rest is published.',
    faults: [
      { route: CATALOGUE, kind: 'broken-markets', share: 0.33 },
      { route: '*', kind: 'reset-body', probability: 0.2 },
    ],
    refreshes: 1,
  },
  {
    title: 'The batch route of the price histories is gone (404).',
    expect: 'prices stay exact; only the first twenty markets keep a 1-day change, the others say null.',
    faults: [{ route: HISTORIES, kind: 'status', status: 404, body: { error: 'not found' } }],
    refreshes: 1,
  },
  {
    title: 'Seven of ten markets vanish from the catalogue.',
    expect: 'that is not believed at first: the third run in a row that sees it publishes it.',
    faults: [],
    dataset: { share: 0.3 },
    refreshes: 3,
  },
  {
    title: 'Everything is as it was.',
    expect: 'the next run publishes all markets again.',
    faults: [],
    refreshes: 1,
  },
];
