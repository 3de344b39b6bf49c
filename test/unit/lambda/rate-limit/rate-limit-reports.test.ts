import { describe, expect, it, jest } from '@jest/globals';
import { rateLimitReports } from '../../../../lambda/rate-limit/rate-limit-reports.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function rig() {
  const clock = new ManualClock();
  const logger = { warn: jest.fn(), info: jest.fn() };
  const metrics = { add: jest.fn(), flush: jest.fn() };
  return { clock, logger, metrics, ...rateLimitReports(logger, metrics, clock) };
}

describe('the operator', () => {
  it('sees every failure as a metric and one line in ten seconds', async () => {
    const { clock, logger, metrics, onUnavailable } = rig();
    for (let request = 0; request < 30; request += 1) {
      onUnavailable(new Error('down'));
      await clock.advance(500);
    }
    expect(metrics.add).toHaveBeenCalledTimes(30);
    expect(metrics.add).toHaveBeenCalledWith('RateLimitUnavailable', 1);
    expect(metrics.flush).toHaveBeenCalledTimes(30);
    const line = 'The per-IP limit is unavailable: requests are served uncounted';
    expect(logger.warn.mock.calls).toEqual([
      [line, { error: new Error('down') }],
      [line, { error: new Error('down') }],
    ]);
  });

  it('sees the first refusal at once, and those of a flood added up each second, without losing one', async () => {
    const { clock, metrics, onRefused } = rig();
    onRefused('a-hash', true);
    expect(metrics.add.mock.calls).toEqual([['RateLimitRefused', 1]]);
    for (let refusal = 0; refusal < 2_500; refusal += 1) {
      onRefused('a-hash', true);
      if (refusal % 500 === 499) await clock.advance(500);
    }
    await clock.advance(1_000);
    expect(metrics.add.mock.calls.slice(1)).toEqual([
      ['RateLimitRefused', 1_000],
      ['RateLimitRefused', 1_000],
      ['RateLimitRefused', 500],
    ]);
    expect(metrics.flush).toHaveBeenCalledTimes(4);
    await clock.advance(10_000);
    // Nothing is told while nobody is refused.
    expect(metrics.flush).toHaveBeenCalledTimes(4);
    onRefused('a-hash', true);
    expect(metrics.add).toHaveBeenLastCalledWith('RateLimitRefused', 1);
  });

  it('reads a line when the table refused, and none when a container remembers it', () => {
    const { logger, onRefused } = rig();
    onRefused('a-hash', false);
    onRefused('another', true);
    expect(logger.info.mock.calls).toEqual([['Refused by the per-IP limit', { caller: 'a-hash' }]]);
    expect(logger.warn).not.toHaveBeenCalled();
  });
});
