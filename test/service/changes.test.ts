import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCENARIOS } from '../../local/chaos/scenarios.ts';
import { applyChanges } from '../support/apply-changes.ts';
import { TestService } from './support/test-service.ts';

/** Chaos, but for the catalogue that fails on and on: its runs keep trying to no effect on any list. */
const STEPS = SCENARIOS.filter(({ untilStale }) => !untilStale);

let service: TestService;
/** Ids of the snapshots, oldest first. */
let snapshots: string[];

beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.service.refresh();
  for (const { faults, dataset, refreshes } of STEPS) {
    for (const fault of faults) service.upstream.addFault(fault);
    if (dataset) service.upstream.changeDataset(dataset);
    for (let n = 0; n < refreshes; n += 1) await service.service.refresh();
    service.upstream.clearFaults();
    service.upstream.changeDataset({ share: 1 });
  }
  // As the log says: whoever is asked holds what they have seen for some seconds.
  const published = service.logs.filter(({ message }) => message === 'Snapshot published');
  snapshots = published.map(({ keys }) => String(keys.snapshotId));
}, 180_000);
afterAll(() => service?.close());

describe('what has changed, over chaos', () => {
  it('makes the newest list of each older one, byte for byte', async () => {
    const newest = snapshots.at(-1) ?? '';
    expect(snapshots.length).toBeGreaterThan(STEPS.length);
    const list = async (snapshot: string) =>
      (await service.call(`/api/markets?limit=100000&snapshot=${snapshot}`)).text;
    const expected = await list(newest);
    const changes = async (since: string) => (await service.call(`/api/markets/changes?since=${since}`)).json;
    const counts: Record<string, number> = { added: 0, changed: 0, removed: 0 };
    for (const since of snapshots) {
      const told = await changes(since);
      expect([told.from, told.to]).toEqual([since, newest]);
      const markets = applyChanges(JSON.parse(await list(since)), told);
      // The service writes a market a line.
      const made = `[${markets.map((market) => JSON.stringify(market)).join(',\n')}]`;
      // Only where they part: the whole lists would fill the screen.
      const at = [...expected].findIndex((character, n) => character !== made[n]);
      const from = Math.max(0, at - 150);
      expect({ since, made: made.slice(from, at + 80) }).toEqual({
        since,
        made: expected.slice(from, at + 80),
      });
      expect(made === expected).toBe(true);
      for (const name of Object.keys(counts)) counts[name] = (counts[name] ?? 0) + told[name].length;
    }
    expect(Math.min(counts.added ?? 0, counts.changed ?? 0)).toBeGreaterThan(0);
  }, 60_000);

  it('is nothing since the newest, and 304 for who has that already', async () => {
    const path = `/api/markets/changes?since=${snapshots.at(-1)}`;
    const { json, headers } = await service.call(path);
    expect(json).toMatchObject({ added: [], changed: [], removed: [] });
    const again = await service.call(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});
