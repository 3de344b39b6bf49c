import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, type Row, startTestService } from './support.ts';

const service = await startTestService({ refresh: false, markets: 300 });
afterAll(() => service.stop());

describe('a service without data', () => {
  it('says so with 502, why, and when to try again', async () => {
    const { status, json, headers } = await service.get('/api/markets');

    expect([status, (json as Row).code]).toEqual([502, 'snapshot_missing']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await service.get('/api/status')).json).toMatchObject({ status: 'empty', reason: expect.any(String) });
  });

  it('names the reason when the first run fails', async () => {
    service.simulator.addFault({ route: 'gamma', kind: 'html', status: 403 });
    await expect(service.refresh('full', 3_000)).rejects.toThrow();
    const { json } = await service.get('/api/status');
    service.simulator.clearFaults();

    expect((json as Row).reason).toMatch(/^No refresh has succeeded since .+T.+Z\. Report of .+T.+Z: The upstream /);
  });
});

it('the first list is served although all histories hang, and changes are not known yet', async () => {
  const first = await startTestService({ refresh: false, markets: 300 });
  for (const route of ['prices-history', 'batch-prices-history', 'v2-prices-history'] as const) {
    first.simulator.addFault({ route, kind: 'hang' });
  }
  const hanging = first.refresh('full', 9_000).catch(() => undefined);
  const markets = await eventually(async () => {
    const { status, json } = await first.get('/api/markets?limit=50');
    if (status !== 200) throw new Error(`The list responds with ${status}`);
    return json as Row[];
  });
  const { json } = await first.get('/api/status');
  first.simulator.clearFaults();
  await hanging;
  await first.stop();

  expect(markets).toHaveLength(50);
  expect(markets.every(({ currentProbability }) => typeof currentProbability === 'number')).toBe(true);
  expect(json).toMatchObject({ status: 'ok' });
});
