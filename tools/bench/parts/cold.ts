import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FunctionName } from '../../../lambda/contract/environment.ts';
import type { BenchService } from '../fixture/bench-service.ts';
import { frontDoorEvent } from '../fixture/front-door-event.ts';
import { runCold } from '../fixture/run-cold.ts';
import type { Figure } from '../harness/figure.ts';
import { quantile, summary } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

/** What each function is asked, and how much longer than an empty one it may take. */
const FUNCTIONS: readonly (readonly [name: FunctionName, path: string, most: number])[] = [
  ['list-markets', '/api/markets', 4],
  ['search-markets', '/api/markets/search', 5],
  ['get-order-book', '/api/clob/order-book', 4],
  ['get-prices-history', '/api/clob/prices-history', 4],
  ['get-status', '/api/status', 4],
  ['get-openapi', '/openapi.json', 1.5],
];
const EMPTY = "export const handler = async () => ({ statusCode: 200, body: '{}' });\n";

/** CPU time from the start of the process to the first encoded response, in the bundles that deploy. */
export const coldPart: Part = {
  name: 'cold',
  summary: 'cold start, per function',
  quick: true,
  async run({ quick, service }) {
    const bench = await service();
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    writeFileSync(join(folder, 'empty.mjs'), EMPTY);
    const empty = pathToFileURL(join(folder, 'empty.mjs')).href;
    const figures: Figure[] = [];
    try {
      for (const [name, path, most] of FUNCTIONS) {
        // One of each kind is enough for a quick look.
        if (quick && (name === 'get-prices-history' || name === 'get-status')) continue;
        figures.push(await measure(bench, { name, path, most, empty, rounds: quick ? 4 : 8 }));
      }
      return figures;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  readonly name: FunctionName;
  readonly path: string;
  readonly most: number;
  /** Module of the empty function. */
  readonly empty: string;
  readonly rounds: number;
}

async function measure(bench: BenchService, measured: Measured): Promise<Figure> {
  const { name, path, most, empty, rounds } = measured;
  const { module, handler, environment } = bench.definition(name);
  const event = frontDoorEvent({ path, publicKeyId: bench.publicKeyId, query: await queryOf(bench, name) });
  const ours: number[] = [];
  const theirs: number[] = [];
  const walls: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const own = await runCold({ module, handler, environment, event });
    const bare = await runCold({ module: empty, handler: 'handler', environment, event });
    if (own.status !== 200) throw new Error(`${name} responded with ${own.status}`);
    if (round < 0) continue;
    ours.push(own.cpuMs);
    theirs.push(bare.cpuMs);
    walls.push(own.totalMs);
  }
  return {
    part: 'cold',
    unit: 'ms',
    what: name,
    against: 'an empty ESM handler',
    ...summary(ours, theirs),
    goal: { most },
    note: `${quantile(walls, 0.5).toFixed(0)} ms by the clock, beside whatever else the machine did`,
  };
}

async function queryOf(bench: BenchService, name: FunctionName): Promise<Record<string, string>> {
  if (name === 'search-markets') return { q: 'bitcoin' };
  if (name !== 'get-order-book' && name !== 'get-prices-history') return {};
  const list = await fetch(`${bench.service.url}/api/markets?limit=1`, {
    headers: bench.service.publicKey === undefined ? {} : { 'x-api-key': bench.service.publicKey },
  });
  const [market] = (await list.json()) as { clobTokenId: string }[];
  return { token_id: market?.clobTokenId ?? '', ...(name === 'get-order-book' ? {} : { interval: '1d' }) };
}
