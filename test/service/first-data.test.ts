import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Row, startTestService, type TestService } from './support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ refresh: false, markets: 50 });
});
afterAll(() => service?.stop());

it('a service without data says so with 502, why, and when to try again', async () => {
  const { status, json, headers } = await service.get('/api/markets');

  expect([status, (json as Row).code]).toEqual([502, 'snapshot_missing']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.get('/api/status')).json).toMatchObject({ status: 'empty', reason: expect.any(String) });
});
