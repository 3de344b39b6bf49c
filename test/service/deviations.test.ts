/**
 * docs/specification.md numbers the sentences of the request for this service, and begins with the
 * deviations from it. These tests show the deviations over HTTP, in a service with a simulated
 * Polymarket.
 */
import { afterAll, beforeEach, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { startTestService } from './support.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

/** More than the 2,000 markets that the list holds. */
const UPSTREAM_MARKETS = 2_100;

const service = await startTestService({ markets: UPSTREAM_MARKETS });
afterAll(() => service.stop());

/** Whether markets after the first 20 have their change of 7 days. */
async function hasWeekChanges(): Promise<boolean> {
  const rows = await service.list('/api/markets?offset=20&fields=sevenDayPriceChange');
  return rows.some(({ sevenDayPriceChange }) => typeof sevenDayPriceChange === 'number');
}
// On a busy machine the first run publishes before it has read all histories. The next runs read
// the others.
for (let run = 0; run < 5 && !(await hasWeekChanges()); run++) await service.refresh('full');

const { asOf } = (await service.get('/api/status')).json as { asOf: string };
/** Stops the clock of the service. @param ageSeconds of the prices at this time */
function stopClock(ageSeconds: number) {
  jest.spyOn(systemClock, 'now').mockReturnValue(Date.parse(asOf) + ageSeconds * 1_000);
}
beforeEach(() => stopClock(10));

it('a list without a limit has 500 markets [sentence 20]', async () => {
  expect(await service.list('/api/markets')).toHaveLength(500);
});

it('a list holds at most 2,000 markets, and the status says so [sentences 1, 22]', async () => {
  expect(await service.list('/api/markets?limit=5000')).toHaveLength(2_000);
  expect((await service.get('/api/status')).json).toMatchObject({ maxMarkets: 2_000, isCut: true });
});

it('a list is served for 150 s after its prices were read, then 502 [sentence 6]', async () => {
  stopClock(149);
  expect((await service.get('/api/markets?limit=1')).status).toBe(200);
  stopClock(151);
  // Another address than before, because the server can cache the response of the first one.
  const tooOld = await service.get('/api/markets?limit=2');
  expect(tooOld.status).toBe(502);
  expect(tooOld.json).toMatchObject({ code: 'snapshot_stale' });
});

it('a change is null while the book is wide [sentence 15]', async () => {
  const rows = await service.list('/api/markets?limit=5000&fields=midpoint,oneDayPriceChange');
  // A market with a wide book has no midpoint.
  const wide = rows.filter(({ midpoint }) => midpoint === undefined);
  expect(wide.length).toBeGreaterThan(0);
  for (const { oneDayPriceChange } of wide) expect(oneDayPriceChange).toBeNull();
});

it('only the first 20 markets have changes over 7 and 30 days [sentence 16]', async () => {
  const rows = await service.list('/api/markets');
  const withWeekChange = rows.slice(0, 20).filter((row) => 'sevenDayPriceChange' in row);
  expect(withWeekChange.length).toBeGreaterThan(0);
  expect(rows.length).toBeGreaterThan(100);
  for (const row of rows.slice(20)) {
    expect(row).not.toHaveProperty('sevenDayPriceChange');
    expect(row).not.toHaveProperty('thirtyDayPriceChange');
  }
});

it('with fields, other markets have their 7-day change too [sentence 16]', async () => {
  expect(await hasWeekChanges()).toBe(true);
});

it('a search text without a letter or digit gets 400 [sentence 23]', async () => {
  const { status, json } = await service.get('/api/markets/search?q=!!');
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: expect.stringContaining('letter or digit') });
});

it('a search finds questions without the typed word [sentence 27]', async () => {
  const rows = await service.list('/api/markets/search?q=btc');
  expect(rows.some(({ question }) => !/\bbtc\b/i.test(String(question)))).toBe(true);
});

it.each([
  { path: '/api/markets?limit=x', status: 400 },
  { path: '/api/markets?slug=some-market', status: 400 },
  { path: '/api/nothing', status: 404 },
  // A snapshot of 2020 has expired.
  { path: '/api/markets?snapshot=20200101T000000000Z-00000000', status: 410 },
])('$path gets $status with an error in JSON [sentence 37]', async ({ path, status }) => {
  const response = await service.get(path);
  expect(response.status).toBe(status);
  expect(response.json).toMatchObject({ error: expect.any(String), code: expect.any(String) });
});
