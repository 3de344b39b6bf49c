import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_SOURCES, type MetricName, upstreamsOf } from '../../lambda/contract/metrics.ts';
import { graph, type Section } from './dashboard-section.ts';
import { FIVE_MINUTES, type Monitored, runInterval } from './monitored.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

const REFRESHER = 'refresh-snapshot';

/** Is the upstream well? */
export function upstreamSection({ stage }: Monitored, metrics: ServiceMetricReader): Section {
  const period = FIVE_MINUTES;
  const refresher = (name: MetricName, label: string) =>
    upstreamsOf(REFRESHER).map((upstream) =>
      metrics.upstream(name, REFRESHER, upstream, { period, label: `${upstream}, ${label}` }),
    );
  const live = (name: MetricName, label: string) =>
    METRIC_SOURCES[name]
      .filter((service) => service !== REFRESHER)
      .flatMap((service) =>
        upstreamsOf(service).map((upstream) =>
          metrics.upstream(name, service, upstream, { period, label: `${service}, ${upstream}, ${label}` }),
        ),
      );
  return {
    question: 'Is the upstream well?',
    well: 'Hardly any failures, nothing blocked. A run makes some hundred calls; live calls follow the callers.',
    rows: [
      [
        graph('Calls of the refresher', refresher('UpstreamCalls', 'calls'), {
          right: [...refresher('UpstreamRetries', 'retries'), ...refresher('UpstreamFailures', 'failures')],
        }),
        graph('Calls for live answers', live('UpstreamCalls', 'calls'), {
          right: [...live('UpstreamRetries', 'retries'), ...live('UpstreamFailures', 'failures')],
        }),
        graph('Turned away (403, 429, 451)', metrics.everyUpstream('UpstreamBlocked', { period }), {
          right: [
            metrics.one('CatalogueAge', {
              period: runInterval(stage),
              statistic: Stats.MAXIMUM,
              label: 'Oldest page in the upstream’s cache (s)',
            }),
          ],
        }),
      ],
    ],
  };
}
