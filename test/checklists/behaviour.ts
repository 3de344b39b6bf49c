/** Runs in the copy: the list, the filter, the endpoint, the changes and the client after the steps. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Market } from '../../lambda/core/domain/market.ts';
import { listDiff } from '../../lambda/core/query/list-diff.ts';
import type { MarketSnapshot } from '../../lambda/core/query/market-snapshot.ts';
import { startLocalService } from '../../local/service.ts';
import { startSimulator } from '../../local/simulator/index.ts';
import type { Changes, Market as ListedMarket } from '../../packages/client/src/api.ts';
import { applyChanges } from '../../packages/client/src/apply-changes.ts';
import { loadedSnapshot, testMarket } from '../support/markets.ts';
import { ADDED } from './steps.ts';

type Row = Readonly<Record<string, unknown>>;

/** The local service with a simulated upstream whose markets all have an `orderMinSize` of 5. */
async function checkService(): Promise<void> {
  const simulator = await startSimulator({ markets: 100, lifecycle: false });
  const upstream = { gammaUrl: simulator.url, clobUrl: simulator.url, dataUrl: simulator.url };
  const service = await startLocalService({ upstream });
  const read = async (path: string) => (await fetch(`${service.url}${path}`)).json();
  await service.refresh('full');

  const list = (await read('/api/markets')) as readonly Row[];
  assert.ok(list.length > 50);
  for (const row of list) assert.equal(row[ADDED.field], 5);
  const ticks = (await read('/api/markets?fields=id,minimumTickSize')) as readonly Row[];
  const fine = ticks.filter(({ minimumTickSize }) => Number(minimumTickSize) <= 0.001);
  assert.ok(fine.length > 0 && fine.length < ticks.length);
  assert.deepEqual(await read(`/api/markets?fields=id,minimumTickSize&${ADDED.filter}=0.001`), fine);
  assert.deepEqual(await read(ADDED.path), { markets: list.length });
  await Promise.all([service.stop(), simulator.stop()]);
}

/** The feed obeys its schema and rebuilds the list byte by byte when markets get, change and lose the field. */
function checkChanges(): void {
  const withField = (n: number, value?: number) =>
    ({ ...testMarket(n), ...(value === undefined ? {} : { [ADDED.field]: value }) }) as Market;
  const from = loadedSnapshot([withField(0, 5), withField(1, 5), withField(2), withField(3, 5)]);
  const to = loadedSnapshot([withField(0), withField(1, 10), withField(2, 5), { ...withField(3, 5), volume: 1 }]);
  const feed = { from: 'a', to: 'b', asOf: '2026-11-21T12:02:00Z', ...listDiff(from, to) };
  const removed = feed.changed.find(({ id }) => id === testMarket(0).id) as Row | undefined;
  assert.equal(removed?.[ADDED.field], null);

  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.validate({ $ref: '#/components/schemas/Changes', components }, feed);
  assert.deepEqual(ajv.errors, null);

  const rebuilt = applyChanges(listOf(from) as ListedMarket[], feed as Changes);
  assert.equal(JSON.stringify(rebuilt), JSON.stringify(listOf(to)));
}

function listOf(snapshot: MarketSnapshot): readonly unknown[] {
  return Array.from({ length: snapshot.length }, (_, position) => JSON.parse(snapshot.line(position)));
}

checkChanges();
await checkService();
process.exit(0);
