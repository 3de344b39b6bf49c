// `errorLog` writes the errors of requests to the log: unexpected ones as errors, outages as
// warnings, and those that the caller can correct not at all.

import { describe, expect, it, jest } from '@jest/globals';
import { ServiceError } from '../../../lambda/core/domain/service-error.ts';
import { errorLog } from '../../../lambda/http/error-response.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A log on a manual clock, and the fields of its warnings and of its errors. */
function setUp() {
  const logger = { warn: jest.fn(), error: jest.fn() };
  const clock = new ManualClock();
  const fieldsOf = (log: typeof logger.warn) => log.mock.calls.map(([, fields]) => fields);
  return {
    clock,
    log: errorLog(logger, clock),
    warnings: () => fieldsOf(logger.warn),
    errors: () => fieldsOf(logger.error),
  };
}

describe('the log of errors', () => {
  it('has every unexpected error with its fields', () => {
    const { log, warnings, errors } = setUp();
    const error = new TypeError('boom');
    log(error, { tool: 'list_markets' });
    log(error);
    expect(errors()).toEqual([{ tool: 'list_markets', error }, { error }]);
    expect(warnings()).toEqual([]);
  });

  it('has an outage with its cause', () => {
    const { log, warnings } = setUp();
    const cause = new Error('run failed');
    log(new ServiceError('snapshot_stale', 'Too old.', { cause }), { tool: 'list_markets' });
    expect(warnings()).toEqual([
      {
        tool: 'list_markets',
        code: 'snapshot_stale',
        reason: 'Too old.',
        cause: 'Error: run failed',
      },
    ]);
  });

  it('has an outage once in 10 s for each error code', async () => {
    const { log, warnings, clock } = setUp();
    log(new ServiceError('snapshot_stale', 'Too old.'));
    log(new ServiceError('upstream_unavailable', 'No upstream.'));
    await clock.advance(9_999);
    log(new ServiceError('snapshot_stale', 'Too old.'));
    expect(warnings()).toHaveLength(2);
    await clock.advance(1);
    log(new ServiceError('snapshot_stale', 'Too old.'));
    expect(warnings()).toHaveLength(3);
  });

  it('has an outage once after the clock is set back', async () => {
    const { log, warnings, clock } = setUp();
    const stale = new ServiceError('snapshot_stale', 'Too old.');
    log(stale);
    await clock.advance(-500_000);
    log(stale);
    log(stale);
    expect(warnings()).toHaveLength(2);
  });

  it.each(['invalid_parameter', 'rate_limited'] as const)(
    'has no error that the caller can correct: %s',
    (code) => {
      const { log, warnings, errors } = setUp();
      log(new ServiceError(code, 'Wrong.', { cause: new Error('x') }));
      expect([...warnings(), ...errors()]).toEqual([]);
    },
  );
});
