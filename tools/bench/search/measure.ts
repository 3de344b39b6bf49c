import { createSearchIndex, type SearchableMarket } from '../../../lambda/search/search-index.ts';
import { fold } from '../../../lambda/search/terms.ts';
import { generatedMarkets } from './generated-markets.ts';
import { bareMiniSearch, miniSearchUnderOurs, type Search } from './minisearch-engine.ts';
import { QUERIES } from './queries.ts';

/** One engine, measured: called by main.ts. */
const [engine = 'own', size = '2000'] = process.argv.slice(2);
const RESULTS = 20;
/** Thread CPU time is told in ticks of some milliseconds: each figure is a mean over at least so long. */
const LEAST_MS = 60;

function ownSearch(markets: readonly SearchableMarket[]): Search {
  const index = createSearchIndex(markets);
  return (query, limit) => index.search(query, limit).positions;
}

/** Every word of the query somewhere in the question, as a database without an index would; all are read, to be counted. */
function scan(markets: readonly SearchableMarket[]): Search {
  return (query, limit) => {
    const words = fold(query).split(' ');
    const found: number[] = [];
    for (let position = 0; position < markets.length; position += 1) {
      const question = fold(markets[position]?.question ?? '');
      if (words.every((word) => question.includes(word))) found.push(position);
    }
    return found.slice(0, limit);
  };
}

const BUILDERS: Readonly<Record<string, (markets: readonly SearchableMarket[]) => Search>> = {
  own: ownSearch,
  minisearch: miniSearchUnderOurs,
  'minisearch-bare': bareMiniSearch,
  scan,
};

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Mean CPU milliseconds of one call. */
function mean(work: () => void): number {
  let rounds = 0;
  const start = cpu();
  while (cpu() - start < LEAST_MS) {
    work();
    rounds += 1;
  }
  return (cpu() - start) / rounds;
}

function timed<T>(work: () => T): [result: T, milliseconds: number] {
  const start = cpu();
  const result = work();
  return [result, cpu() - start];
}

function usedMb(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

// As they come out of a snapshot: each text a flat string of its own.
const markets: SearchableMarket[] = JSON.parse(JSON.stringify(generatedMarkets(Number(size))));
const build = BUILDERS[engine] ?? ownSearch;
// So that nothing of the generator is on the stack any more when memory is measured.
await new Promise(setImmediate);
const before = usedMb();
const [search, buildMs] = timed(() => build(markets));
const held = usedMb() - before;
const rss = process.memoryUsage.rss() / 1e6;
const figures = [
  `build ${buildMs.toFixed(0)} ms`,
  `holds ${held.toFixed(0)} MB`,
  `resident ${rss.toFixed(0)} MB`,
];
if (engine === 'own') {
  const changed = Math.ceil(markets.length / 100);
  const index = createSearchIndex(markets);
  const others = generatedMarkets(markets.length + changed).slice(-changed);
  const [, updateMs] = timed(() => index.update([...others, ...markets.slice(changed)]));
  figures.push(`update ${updateMs.toFixed(0)} ms`);
}
console.log(`\n${engine}, ${size} markets: ${figures.join(', ')}`);
for (const [kind, queries] of Object.entries(QUERIES)) {
  for (const query of queries) search(query, RESULTS);
  const means = queries.map((query) => mean(() => search(query, RESULTS))).sort((a, b) => a - b);
  const median = means[Math.floor(means.length / 2)] ?? 0;
  console.log(
    `  ${kind.padEnd(15)} median ${median.toFixed(2)} ms   slowest ${(means.at(-1) ?? 0).toFixed(2)} ms`,
  );
}
