import type { AlarmRow } from './alarm-row.ts';
import { figures, graph, type Section } from './dashboard-section.ts';
import { FIVE_MINUTES, type Monitored, readerLogs } from './monitored.ts';
import type { OperatorQuestion } from './operator-question.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

const CALLS = [
  'filter ispresent(UpstreamCalls)',
  'stats sum(UpstreamCalls) as calls, sum(UpstreamRetries) as retries, sum(UpstreamFailures) as failures by bin(5m)',
];

/** Is the upstream well? That it fails shows in the data's alarms; that it turns us away needs a person. */
export const upstreamQuestion: OperatorQuestion = { alarms, section };

function alarms(_: Monitored, metrics: ServiceMetricReader): AlarmRow[] {
  return [
    {
      id: 'upstream-blocked',
      happened: 'The upstream turns us away (403, 429, 451): it has blocked us, or we ask too often.',
      metric: metrics.read('UpstreamBlocked', { period: FIVE_MINUTES }),
      threshold: 3,
      periods: [2, 3],
      missing: 'notBreaching',
    },
    {
      id: 'upstream-changed',
      happened:
        'The upstream is not what it was: other keys, ids, pages or routes. The data may suffer from it, or soon will.',
      metric: metrics.read('DriftDetected', { period: FIVE_MINUTES }),
      threshold: 1,
      periods: [1, 1],
      missing: 'notBreaching',
    },
  ];
}

function section(monitored: Monitored, metrics: ServiceMetricReader): Section {
  const refresher = [monitored.refresher.function.logGroup.logGroupName];
  return {
    question: 'Is the upstream well?',
    well: 'Hardly any failures, nothing blocked. A run makes some hundred calls; live calls follow the callers.',
    rows: [
      [
        figures('Calls of the refresher', refresher, CALLS),
        figures('Calls for live responses', readerLogs(monitored), CALLS),
        graph('Turned away (403, 429, 451)', [
          metrics.read('UpstreamBlocked', { period: FIVE_MINUTES, label: 'All functions' }),
        ]),
      ],
      [
        figures('Oldest page in the upstream’s cache (s)', refresher, [
          'filter ispresent(CatalogueAge)',
          'stats max(CatalogueAge) as seconds by bin(5m)',
        ]),
        figures('1-day changes from prices of our own (%), runs whose memory failed', refresher, [
          'filter ispresent(OwnOneDayChanges) or ispresent(PriceMemoryFailed)',
          'stats min(OwnOneDayChanges) as percent, sum(PriceMemoryFailed) as failed by bin(5m)',
        ]),
        graph('Changes of the upstream', [
          metrics.read('DriftDetected', { period: FIVE_MINUTES, label: 'Changes' }),
        ]),
      ],
    ],
  };
}
