import { describe, expect, it, jest } from '@jest/globals';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { errorLog } from '../../../../lambda/http/error-log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function rig() {
  const clock = new ManualClock();
  const logger = { error: jest.fn(), warn: jest.fn() };
  return { clock, logger, log: errorLog(logger, clock) };
}

describe('the log of errors', () => {
  it('has one line in ten seconds for each kind of outage, with code and age, also without a cause', async () => {
    const { clock, logger, log } = rig();
    const stale = new ServiceError('snapshot_stale', 'Old.', { details: { ageSeconds: 151 } });
    const missing = new ServiceError('snapshot_missing', 'None.');
    for (let request = 0; request < 30; request += 1) {
      log(stale, { requestId: `stale-${request}` });
      log(missing, { requestId: `missing-${request}` });
      await clock.advance(500);
    }
    expect(logger.warn.mock.calls).toEqual([
      ['Responded with an error', { requestId: 'stale-0', code: 'snapshot_stale', ageSeconds: 151 }],
      ['Responded with an error', { requestId: 'missing-0', code: 'snapshot_missing' }],
      ['Responded with an error', { requestId: 'stale-20', code: 'snapshot_stale', ageSeconds: 151 }],
      ['Responded with an error', { requestId: 'missing-20', code: 'snapshot_missing' }],
    ]);
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('has a line for every other error that has a cause', () => {
    const { logger, log } = rig();
    const error = new ServiceError('upstream_unavailable', 'Later.', { cause: new Error('reset') });
    log(error, { requestId: 'one' });
    log(error, { requestId: 'two' });
    expect(logger.warn.mock.calls).toEqual([
      ['Responded with an error', { requestId: 'one', code: 'upstream_unavailable', cause: 'Error: reset' }],
      ['Responded with an error', { requestId: 'two', code: 'upstream_unavailable', cause: 'Error: reset' }],
    ]);
  });

  it("has none for the callers' mistakes", () => {
    const { logger, log } = rig();
    log(new ServiceError('invalid_parameter', 'No.'), { requestId: 'one' });
    log(new ServiceError('snapshot_gone', 'Gone.'), { requestId: 'two' });
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('has what is unexpected as an error, each time', () => {
    const { logger, log } = rig();
    const error = new TypeError('boom');
    log(error, { requestId: 'one' });
    log(error, { requestId: 'two' });
    expect(logger.error.mock.calls).toEqual([
      ['Unexpected error', { requestId: 'one', error }],
      ['Unexpected error', { requestId: 'two', error }],
    ]);
  });
});
