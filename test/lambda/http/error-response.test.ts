import { expect, it, jest } from '@jest/globals';
import { ServiceError } from '../../../lambda/core/domain/service-error.ts';
import { errorLog } from '../../../lambda/http/error-response.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function setUp() {
  const logger = { warn: jest.fn(), error: jest.fn() };
  const clock = new ManualClock();
  return { logger, clock, log: errorLog(logger, clock) };
}

it('logs every unexpected error with its fields', () => {
  const { logger, log } = setUp();
  const error = new TypeError('boom');
  log(error, { tool: 'list_markets' });
  log(error);
  expect(logger.error.mock.calls.map(([, fields]) => fields)).toEqual([
    { tool: 'list_markets', error },
    { error },
  ]);
  expect(logger.warn).not.toHaveBeenCalled();
});

it('logs an outage with its cause once per interval and error code, even when the clock is set back', async () => {
  const stale = new ServiceError('snapshot_stale', 'The data is too old.', {
    cause: new Error('run failed'),
  });
  const { logger, clock, log } = setUp();
  log(stale, { tool: 'list_markets' });
  log(stale);
  log(new ServiceError('upstream_unavailable', 'No upstream.'));
  await clock.advance(9_999);
  log(stale);
  expect(logger.warn.mock.calls.map(([, fields]) => fields)).toEqual([
    {
      tool: 'list_markets',
      code: 'snapshot_stale',
      reason: stale.message,
      cause: 'Error: run failed',
    },
    { code: 'upstream_unavailable', reason: 'No upstream.' },
  ]);
  await clock.advance(1);
  log(stale);
  expect(logger.warn).toHaveBeenCalledTimes(3);
  await clock.advance(-500_000);
  log(stale);
  log(stale);
  expect(logger.warn).toHaveBeenCalledTimes(4);
});

it.each(['invalid_parameter', 'rate_limited'] as const)(
  'does not log errors that the caller can mend: %s',
  (code) => {
    const { logger, log } = setUp();
    log(new ServiceError(code, 'Wrong.', { cause: new Error('x') }));
    expect(logger.warn).not.toHaveBeenCalled();
    expect(logger.error).not.toHaveBeenCalled();
  },
);
