/** Runs in the copy: the list, the filter, the endpoint, the changes and the client after the steps. */
import assert from 'node:assert/strict';
import { startLocalService } from '../../local/service.ts';
import { startSimulator } from '../../local/simulator/index.ts';
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

await checkService();
process.exit(0);
