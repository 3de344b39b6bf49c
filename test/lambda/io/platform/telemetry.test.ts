import { describe, expect, it } from '@jest/globals';
import { requestIds, ServiceMetrics, telemetry } from '../../../../lambda/io/platform/telemetry.ts';
import { outputOfTest } from '../../../support/captured-output.ts';

// A function writes its log and its metrics to stdout, as lines of JSON that CloudWatch reads.

/** The lines that the current test has written. */
const lines = outputOfTest();
const written = () => lines.map((line) => JSON.parse(line));

describe('the log', () => {
  it('writes one line of JSON with the fields, the function and the request', () => {
    const { logger } = telemetry('get-market', {});
    requestIds.run('request-7', () => logger.info('A sentence', { markets: 3 }));
    logger.warn('No request');
    expect(lines).toHaveLength(2);
    expect(written()).toEqual([
      {
        level: 'INFO',
        message: 'A sentence',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        service: 'get-market',
        requestId: 'request-7',
        markets: 3,
      },
      expect.not.objectContaining({ requestId: expect.anything() }),
    ]);
  });

  it('writes errors with stack and causes, without the objects that the SDK attaches', () => {
    const cause = Object.assign(new Error('inner'), { $response: { body: 'huge' } });
    const error = Object.assign(new TypeError('outer', { cause }), {
      code: 'ECONNRESET',
      $metadata: { attempts: 3 },
    });
    telemetry('get-market', {}).logger.error('Unexpected error', { error });
    expect(written()[0].error).toEqual({
      name: 'TypeError',
      location: expect.any(String),
      message: 'outer',
      stack: expect.stringContaining('telemetry.test.ts'),
      code: 'ECONNRESET',
      cause: expect.not.objectContaining({ $response: expect.anything() }),
    });
    expect(written()[0].error.cause).toMatchObject({ name: 'Error', message: 'inner' });
  });
});

it('the metrics of a flush are one line in the embedded metric format', () => {
  const metrics = new ServiceMetrics('MarketDataProxy/dev');
  // Nothing is there to write.
  metrics.flush();
  metrics.add('MissingMarkets', 12.5);
  metrics.add('RateLimitUnavailable', 0);
  expect(lines).toEqual([]);
  metrics.flush();
  // Nothing is left to write.
  metrics.flush();
  const definition = {
    Namespace: 'MarketDataProxy/dev',
    Dimensions: [['service']],
    Metrics: [
      { Name: 'MissingMarkets', Unit: 'Percent' },
      { Name: 'RateLimitUnavailable', Unit: 'Count' },
    ],
  };
  expect(written()).toEqual([
    {
      _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [definition] },
      // The dimension that all functions share.
      service: 'market-data-proxy',
      MissingMarkets: 12.5,
      RateLimitUnavailable: 0,
    },
  ]);
});
