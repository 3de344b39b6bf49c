import { perUrlVariable } from '../../../lambda/contract/upstreams.ts';
import { startSimulatedUpstream } from '../../../local/simulated-upstream.ts';
import type { BenchService } from '../fixture/bench-service.ts';
import { type ColdRun, runCold } from '../fixture/run-cold.ts';
import { quantile } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const RUNS = 3;
const MARKETS = 2_800;
/** One for the days of 2,000 markets, five for their months. */
const FILLING_RUNS = 6;
const AGENT = { 'user-agent': 'market-data-proxy-bench/1' };

/** A full run of the deployed refresher in a process of its own, the upstream as slow as the real one. */
export const refreshPart: Part = {
  name: 'refresh',
  summary: 'a refresh, realistic upstream',
  quick: false,
  async run({ service }) {
    const bench = await service();
    // Until the memory of prices has what came before it: then a run asks for no histories, as nearly all do.
    for (let n = 0; n < FILLING_RUNS; n++) await bench.service.refresh();
    const upstream = await startSimulatedUpstream({
      markets: MARKETS,
      latency: 'realistic',
      rateLimits: false,
    });
    try {
      const runs: ColdRun[] = [];
      const pages: number[] = [];
      for (let n = 0; n < RUNS; n++) {
        runs.push(await refresh(bench, upstream.url));
        pages.push(await pagesAlone(upstream.url));
      }
      const median = (values: readonly number[]) => quantile(values, 0.5);
      const spread = (values: readonly number[]) =>
        (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
      const times = runs.map((run) => run.totalMs);
      const common = { part: 'refresh' } as const;
      return [
        {
          ...common,
          unit: 'ms',
          what: 'a run in a new container, 2,000 markets',
          against: 'its pages alone, fetched side by side',
          ours: median(times),
          theirs: median(pages),
          spread: spread(times),
          goal: { most: 5_000 },
        },
        {
          ...common,
          unit: 'ms',
          what: 'CPU time of a run',
          ours: median(runs.map((run) => run.cpuMs)),
          goal: { most: 1_000 },
        },
        {
          ...common,
          unit: 'MB',
          what: 'peak memory of a run',
          ours: Math.max(...runs.map((run) => run.maxRssMb)),
          goal: { most: 256 },
        },
      ];
    } finally {
      await upstream.close();
    }
  },
};

function refresh(bench: BenchService, url: string): Promise<ColdRun> {
  const { module, handler, environment } = bench.definition('refresh-snapshot');
  return runCold({
    module,
    handler,
    environment: { ...environment, ...perUrlVariable(() => url) },
    event: {},
  });
}

/** As many pages as 2,000 markets take, all at once. */
async function pagesAlone(url: string): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 20 }, async (_, page) => {
      const response = await fetch(`${url}/markets/keyset?limit=100&page=${page}`, { headers: AGENT });
      await response.text();
    }),
  );
  return performance.now() - started;
}
