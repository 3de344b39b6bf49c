import { GeneratedSource } from 'polymarket-simulator';
import { createSearchIndex } from '../../../lambda/search/search-index.ts';
import {
  decodeBase,
  decodeSnapshot,
  encodeBase,
  encodeDelta,
  TableSnapshot,
} from '../../../lambda/snapshots/codec.ts';
import { deltaOf } from '../../../lambda/snapshots/delta.ts';
import { tableOf } from '../../../lambda/snapshots/stored-markets.ts';
import { entriesOf } from '../entries.ts';
import { CONTEXT } from '../fixture/bench-service.ts';
import { frontDoorEvent } from '../fixture/front-door-event.ts';
import { heldMemoryMb } from '../fixture/held-memory.ts';
import { startLargeService } from '../fixture/large-service.ts';
import { type ColdRun, runCold } from '../fixture/run-cold.ts';
import type { Figure } from '../harness/figure.ts';
import { cpuMs, quantile } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';
import { generatedMarkets } from '../search/generated-markets.ts';
import { QUERIES } from '../search/queries.ts';

export const SIZES = [2_000, 10_000, 50_000] as const;
const PAGE = 500;
const QUERY = 'bitcoin';
const RESULTS = 20;
/** Runs of a query, and as many before to warm up. */
const SEARCHES = 20;
const COLD_RUNS = 5;

/** What happens as the catalogue grows: a page stays as it is, everything else grows linearly at most. */
export const growthPart: Part = {
  name: 'growth',
  summary: 'growth from 2,000 to 50,000 markets',
  quick: false,
  async run() {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      figures.push(...timesAt(size));
      for (const view of ['list', 'search'] as const) {
        const held = await heldMemoryMb({ markets: size, view });
        figures.push({ ...figure(`memory of the ${view}, ${named(size)}`, held), unit: 'MB' });
      }
      figures.push(...(await containerAt(size)));
    }
    return figures;
  },
};

/** A new container of the search as it deploys, and the searches of one that is warm; goals are those of 50,000 markets. */
async function containerAt(size: number): Promise<Figure[]> {
  const bench = await startLargeService(size);
  try {
    const events = Object.values(QUERIES)
      .flat()
      .map((q) =>
        frontDoorEvent({
          path: '/api/markets/search',
          query: { q, limit: String(RESULTS) },
          publicKeyId: bench.publicKeyId,
        }),
      );
    const { module, handler, environment } = bench.definition('search-markets');
    const runs: ColdRun[] = [];
    for (let n = 0; n < COLD_RUNS; n++) {
      runs.push(await runCold({ module, handler, environment, event: events[0] ?? {} }));
    }
    // A store on a busy machine may not respond in time; then there is no figure of that start.
    const cold = runs.filter(({ status }) => status === 200);
    if (cold.length < COLD_RUNS / 2) throw new Error('The search does not respond');
    const search = await bench.load('search-markets', { REQUESTS_PER_MINUTE: 'off' });
    const times: number[] = [];
    for (const event of events) times.push(await cpuOf(() => search(event, CONTEXT)));
    return [
      { ...figure(`p99 of a search, ${named(size)}`, quantile(times, 0.99)), goal: { most: 20 } },
      {
        ...figure(
          `container ready, ${named(size)}`,
          quantile(
            cold.map(({ cpuMs }) => cpuMs),
            0.5,
          ),
        ),
        goal: { most: 1_500 },
        note: `${Math.round(Math.min(...cold.map(({ totalMs }) => totalMs)))} ms by the clock, beside whatever else the machine did`,
      },
      {
        ...figure(
          `resident memory of the search, ${named(size)}`,
          Math.max(...cold.map(({ maxRssMb }) => maxRssMb)),
        ),
        unit: 'MB',
        goal: { most: 512 },
      },
    ];
  } finally {
    await bench.close();
  }
}

/** CPU ms of one of some runs: a single one is shorter than a tick of the kernel's clock. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < SEARCHES; n++) await work();
  const started = cpuMs();
  for (let n = 0; n < SEARCHES; n++) await work();
  return (cpuMs() - started) / SEARCHES;
}

function named(size: number): string {
  return `${size.toLocaleString('en')} markets`;
}

function timesAt(size: number): Figure[] {
  const now = Date.now();
  const markets = generatedMarkets(size);
  const source = new GeneratedSource({ seed: 1, markets: Math.ceil(size * 1.2), now });
  const table = tableOf(entriesOf(source, size, now));
  const base = encodeBase(table);
  const { chunks, checksum } = encodeDelta(table, deltaOf(table, table));
  /** With the first page of it: what nobody asks for is not decoded. */
  const decode = () =>
    decodeSnapshot(decodeBase(base.chunks, base.checksum), chunks, checksum, size).list.slice(0, PAGE);
  const snapshot = new TableSnapshot(table);
  const index = createSearchIndex(markets);
  snapshot.list.slice(0, PAGE);
  return [
    figure(
      `a page of ${PAGE}, ${named(size)}`,
      median(20, 50, () => JSON.stringify(snapshot.list.slice(0, PAGE))),
    ),
    figure(
      `all pages of ${PAGE}, ${named(size)}`,
      median(5, 1, () => {
        for (let from = 0; from < size; from += PAGE) {
          JSON.stringify(snapshot.list.slice(from, Math.min(size, from + PAGE)));
        }
      }),
    ),
    figure(`a container's first snapshot, ${named(size)}`, median(5, 1, decode)),
    figure(
      `search build, ${named(size)}`,
      median(5, 1, () => createSearchIndex(markets)),
    ),
    figure(
      `search update, ${named(size)}`,
      median(9, 5, () => index.update(markets)),
    ),
    figure(
      `one-word query, ${named(size)}`,
      median(20, 40, () => index.search(QUERY, 20)),
    ),
  ];
}

function figure(what: string, ours: number): Figure {
  return { part: 'growth', unit: 'ms', what, ours };
}

/** Median ms of CPU time of some batches of runs, the first of which only warms up. */
function median(runs: number, batch: number, work: () => unknown): number {
  const times: number[] = [];
  for (let run = -1; run < runs; run++) {
    const started = cpuMs();
    for (let n = 0; n < batch; n++) work();
    if (run >= 0) times.push((cpuMs() - started) / batch);
  }
  return quantile(times, 0.5);
}
