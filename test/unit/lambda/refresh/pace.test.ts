import { describe, expect, it } from '@jest/globals';
import { latestPricesAt, pricesAfterSeconds, pricesAt } from '../../../../lambda/refresh/pace.ts';

const DUE = Date.parse('2026-11-21T12:00:00Z');
const EVENT = { source: 'schedule', scheduledTime: '2026-11-21T12:00:00Z' };
const PACE = { maxMarkets: 2_000, intervalSeconds: 120 };

describe('the moment at which a run reads its prices', () => {
  it('is the same after its scheduled time, however late the run began', () => {
    for (const late of [0, 3_000, 10_000, 90_000]) {
      expect(pricesAt(EVENT, DUE + late, PACE)).toBe(DUE + 40_000);
    }
  });

  it('leaves time for the crawl and for the store', () => {
    expect(pricesAfterSeconds({ maxMarkets: 1, intervalSeconds: 120 })).toBe(11.5);
    expect(pricesAfterSeconds({ maxMarkets: 10_000, intervalSeconds: 180 })).toBe(90);
    expect(pricesAfterSeconds({ maxMarkets: 2_000, intervalSeconds: 10 })).toBe(5);
  });

  it('is not later for a clock that is behind', () => {
    expect(pricesAt(EVENT, DUE - 60_000, PACE)).toBe(DUE - 20_000);
  });

  it.each([[undefined], [null], [{}], ['text'], [{ scheduledTime: 5 }], [{ scheduledTime: 'soon' }]])(
    'is at once where nobody scheduled the run: %j',
    (event) => {
      expect(pricesAt(event, DUE, PACE)).toBe(DUE);
    },
  );
});

describe('how long a run may wait', () => {
  it('is until the previous snapshot is three seconds older than an interval', () => {
    expect(latestPricesAt(DUE, 120)).toBe(DUE + 123_000);
  });

  it('has no bound without a previous snapshot or an interval', () => {
    expect(latestPricesAt(undefined, 120)).toBe(Number.POSITIVE_INFINITY);
    expect(latestPricesAt(DUE, undefined)).toBe(Number.POSITIVE_INFINITY);
  });
});
