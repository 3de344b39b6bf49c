import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { metricsNamespace } from '../../../../lambda/contract/metrics.ts';
import { telemetry } from '../../../../lambda/platform/telemetry.ts';

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines = [];
  process.env.METRICS_NAMESPACE = metricsNamespace('dev');
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.METRICS_NAMESPACE;
});

describe('the metrics of a function', () => {
  it('are fields of one line, of which CloudWatch keeps those that alarms look at, with the function as the dimension', () => {
    const { metrics } = telemetry('refresh-snapshot');
    metrics.add('SnapshotAge', 12.5);
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
              Metrics: [{ Name: 'SnapshotAge', Unit: 'Seconds' }],
            },
          ],
        },
        service: 'refresh-snapshot',
        SnapshotAge: 12.5,
        RefreshDuration: 1_200,
      },
    ]);
  });

  it('of all functions together have one dimension, and cost nothing while nothing happens', () => {
    const { metrics } = telemetry('get-order-book');
    metrics.addUpstream('clob', { UpstreamCalls: 2, UpstreamBlocked: 1 });
    metrics.addUpstream('clob', { UpstreamCalls: 1, UpstreamBlocked: 0 });
    expect(lines).toMatchObject([
      {
        _aws: {
          CloudWatchMetrics: [
            { Dimensions: [['functions']], Metrics: [{ Name: 'UpstreamBlocked', Unit: 'Count' }] },
          ],
        },
        functions: 'all',
        service: 'get-order-book',
        Upstream: 'clob',
      },
      { _aws: { CloudWatchMetrics: [] }, UpstreamCalls: 1, UpstreamBlocked: 0 },
    ]);
  });

  it('add up until they are written, and are written once', () => {
    const { metrics } = telemetry('get-order-book');
    metrics.add('RateLimitRefused', 1);
    metrics.add('RateLimitRefused', 2);
    metrics.flush();
    metrics.flush();
    expect(lines.map(({ _aws, ...values }) => values)).toEqual([
      { service: 'get-order-book', RateLimitRefused: 3 },
    ]);
  });
});
