import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricsNamespace } from '../../lambda/contract/metrics.ts';
import { PLAN_REFUSALS_METRIC } from '../api/access-log.ts';
import { graph, type Section } from './dashboard-section.ts';
import { accountConcurrency, allFunctions, FIVE_MINUTES, type Monitored, tableMetric } from './monitored.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/** CloudFront's metrics, and those of its web ACLs, are kept there. */
const EDGE_REGION = 'us-east-1';
const period = FIVE_MINUTES;

/** Are callers served? */
export function callerSection(monitored: Monitored, metrics: ServiceMetricReader): Section {
  const { api, functions, tables, distributionId, stage, accessLog } = monitored;
  const { deploymentStage: gateway } = api;
  const byPercentile = (percent: number) =>
    gateway.metricLatency({ period, statistic: Stats.percentile(percent), label: `p${percent}` });
  const refusedByPlan = new Metric({
    namespace: metricsNamespace(stage.name),
    metricName: PLAN_REFUSALS_METRIC,
    statistic: Stats.SUM,
    period,
    label: 'Plans and throttles',
  });
  return {
    question: 'Are callers served?',
    well: 'Few 5xx, p99 well below three seconds, nothing throttled. 4xx are callers’ own mistakes or limits.',
    rows: [
      [
        graph('Requests and errors', [
          gateway.metricCount({ period, label: 'Requests' }),
          gateway.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
          gateway.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
        ]),
        graph('Time to answer (ms)', [byPercentile(50), byPercentile(90), byPercentile(99)]),
        graph('Refused for being too many', [
          ...metrics.each('RateLimitRefused', { period }),
          ...(accessLog ? [refusedByPlan] : []),
        ]),
      ],
      [
        graph(
          'Function time, p99 (ms)',
          Object.entries(functions).map(([name, it]) =>
            it.metricDuration({ period, statistic: Stats.percentile(99), label: name }),
          ),
        ),
        graph('Snapshots not loaded, requests not counted', [
          ...metrics.each('SnapshotLoadFailed', { period }),
          ...metrics.each('RateLimitUnavailable', { period }),
        ]),
        graph(
          'Throttled by AWS',
          [
            ...allFunctions(monitored).map(([name, it]) => it.metricThrottles({ period, label: name })),
            tableMetric('ReadThrottleEvents', tables.snapshots, 'snapshots, reads'),
            tableMetric('WriteThrottleEvents', tables.snapshots, 'snapshots, writes'),
            tableMetric('WriteThrottleEvents', tables.rateLimits, 'rate limits, writes'),
          ],
          { right: [accountConcurrency()] },
        ),
      ],
      ...(distributionId ? [[edgeGraph(distributionId)]] : []),
    ],
  };
}

/** What viewers see: also errors that CloudFront makes itself when it cannot reach the API. */
function edgeGraph(distributionId: string) {
  const edge = (metricName: string, label: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/CloudFront',
      metricName,
      dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
      region: EDGE_REGION,
      statistic,
      period,
      label,
    });
  return graph('At the edge', [edge('Requests', 'Requests', Stats.SUM)], {
    right: [edge('4xxErrorRate', '4xx (%)', Stats.AVERAGE), edge('5xxErrorRate', '5xx (%)', Stats.AVERAGE)],
    region: EDGE_REGION,
  });
}
