import { afterAll, afterEach, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { startTestService } from './support.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

// docs/specification.md begins with the deviations from the request. These tests show them over
// HTTP. Upstream has more markets than the list holds, and the tests set the time.

const UPSTREAM_MARKETS = 2_100;
const SECOND = 1_000;

const service = await startTestService({ markets: UPSTREAM_MARKETS });
const hasWeekChanges = async () => {
  const rows = await service.list('/api/markets?offset=20&fields=sevenDayPriceChange');
  return rows.some(({ sevenDayPriceChange }) => typeof sevenDayPriceChange === 'number');
};
// On a busy machine the first run publishes before it has the histories of a week. The next
// runs read them.
for (let run = 0; run < 5 && !(await hasWeekChanges()); run++) await service.refresh('full');
const { asOf } = (await service.get('/api/status')).json as { asOf: string };
/** Sets the clock of the service. @param ageSeconds since the prices were read */
function serveAt(ageSeconds: number) {
  jest.spyOn(systemClock, 'now').mockReturnValue(Date.parse(asOf) + ageSeconds * SECOND);
}
const USUAL_AGE_SECONDS = 10;
serveAt(USUAL_AGE_SECONDS);
afterEach(() => serveAt(USUAL_AGE_SECONDS));
afterAll(() => service.stop());

it('a list without a limit has 500 markets [sentence 20]', async () => {
  expect(await service.list('/api/markets')).toHaveLength(500);
});

it('a list holds at most 2,000 markets, and the status says so [sentences 1, 22]', async () => {
  expect(await service.list('/api/markets?limit=5000')).toHaveLength(2_000);
  expect((await service.get('/api/status')).json).toMatchObject({ maxMarkets: 2_000, isCut: true });
});

it('a list is served for 150 s after its prices were read, then 502 [sentence 6]', async () => {
  serveAt(149);
  expect((await service.get('/api/markets?limit=1')).status).toBe(200);
  serveAt(151);
  // Another address than before, because a cache can hold the first one.
  const tooOld = await service.get('/api/markets?limit=2');
  expect(tooOld.status).toBe(502);
  expect(tooOld.json).toMatchObject({ code: 'snapshot_stale' });
});

it('a change is null while the book is wide [sentence 15]', async () => {
  const rows = await service.list('/api/markets?limit=5000&fields=midpoint,oneDayPriceChange');
  const wide = rows.filter(({ midpoint }) => midpoint === undefined);
  expect(wide.length).toBeGreaterThan(0);
  for (const { oneDayPriceChange } of wide) expect(oneDayPriceChange).toBeNull();
});

it('only the first 20 markets have changes over 7 and 30 days [sentence 16]', async () => {
  const rows = await service.list('/api/markets');
  const withWeek = rows.slice(0, 20).filter((row) => 'sevenDayPriceChange' in row);
  expect(withWeek.length).toBeGreaterThan(0);
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
  ['/api/markets?limit=x', 400],
  ['/api/markets?slug=some-market', 400],
  ['/api/nothing', 404],
  ['/api/markets?snapshot=20200101T000000000Z-00000000', 410],
])('%s gets %d with an error in JSON [sentence 37]', async (path, status) => {
  const response = await service.get(path);
  expect(response.status).toBe(status);
  expect(response.json).toMatchObject({ error: expect.any(String), code: expect.any(String) });
});
