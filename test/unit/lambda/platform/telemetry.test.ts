import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { metricsNamespace } from '../../../../lambda/contract/metrics.ts';
import { telemetry } from '../../../../lambda/platform/telemetry.ts';

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines = [];
  process.env.POWERTOOLS_METRICS_NAMESPACE = metricsNamespace('dev');
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.POWERTOOLS_METRICS_NAMESPACE;
});

describe('the metrics of a function', () => {
  it('are written in one line, in the namespace of the stage, with the function as the dimension', () => {
    const { metrics } = telemetry('refresh-snapshot');
    metrics.add('RefreshPublished', 1);
    metrics.add('RefreshDuration', 1_200);
    metrics.flush();
    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'MarketDataProxy/dev',
              Dimensions: [['service']],
              Metrics: [
                { Name: 'RefreshPublished', Unit: 'Count' },
                { Name: 'RefreshDuration', Unit: 'Milliseconds' },
              ],
            },
          ],
        },
        service: 'refresh-snapshot',
        RefreshPublished: 1,
        RefreshDuration: 1_200,
      },
    ]);
  });

  it('of an upstream are one line however many they are, and leave the others alone', () => {
    const { metrics } = telemetry('get-order-book');
    metrics.add('RateLimitRefused', 1);
    metrics.addUpstream('clob', { UpstreamCalls: 2, UpstreamFailures: 1 });
    metrics.addUpstream('clob', { UpstreamCalls: 1 });
    metrics.flush();
    expect(lines.map(({ _aws, ...values }) => values)).toEqual([
      { service: 'get-order-book', Upstream: 'clob', UpstreamCalls: 2, UpstreamFailures: 1 },
      { service: 'get-order-book', Upstream: 'clob', UpstreamCalls: 1 },
      { service: 'get-order-book', RateLimitRefused: 1 },
    ]);
    expect(lines[0]).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'Upstream']] }] },
    });
  });
});
