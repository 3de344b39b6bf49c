import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';

describe('an error that the caller may read', () => {
  it('has a code and a sentence, and nothing else unless it is told', () => {
    const error = new ServiceError('snapshot_missing', 'There is no data yet.');
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'snapshot_missing',
      message: 'There is no data yet.',
    });
    expect([error.retryAfterSeconds, error.details, error.cause]).toEqual([undefined, {}, undefined]);
  });

  it('keeps what the log and the headers need', () => {
    const cause = new Error('down');
    const options = { cause, retryAfterSeconds: 5, details: { ageSeconds: 900 } };
    expect(new ServiceError('snapshot_stale', 'The data is too old.', options)).toMatchObject(options);
  });
});
