import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmRow } from './alarm-row.ts';
import { graph, type Section } from './dashboard-section.ts';
import {
  accountConcurrency,
  accountThrottles,
  allFunctions,
  FIVE_MINUTES,
  type Monitored,
  tableMetric,
} from './monitored.ts';
import type { OperatorQuestion } from './operator-question.ts';
import { total } from './service-metrics.ts';

const period = FIVE_MINUTES;

/** Does AWS give us what we ask for? */
export const capacityQuestion: OperatorQuestion = { alarms, section };

function alarms(monitored: Monitored): AlarmRow[] {
  return [
    {
      id: 'lambda-throttles',
      happened:
        'Lambda refuses to start functions of the account: callers get errors, or the refresh is late.',
      metric: accountThrottles(period),
      threshold: 5,
      periods: [1, 1],
      missing: 'notBreaching',
    },
    {
      id: 'account-concurrency',
      happened: 'The functions of the account run as often at once as its quota nearly allows.',
      metric: accountConcurrency(),
      threshold: 80,
      periods: [3, 5],
      missing: 'notBreaching',
    },
    {
      id: 'dynamodb-throttles',
      happened: 'DynamoDB refuses reads of snapshots, or requests to be counted, for being too many.',
      metric: total(throttledForCallers(monitored), 'Throttled requests', period),
      threshold: 10,
      periods: [1, 1],
      missing: 'notBreaching',
    },
  ];
}

/** What callers would notice. The one writer of snapshots waits and tries again; if that does not do, its runs ring. */
function throttledForCallers({ tables }: Monitored): Metric[] {
  return [
    tableMetric('ReadThrottleEvents', tables.snapshots, 'snapshots, reads'),
    // Updates that give back what they wrote are writes: nothing is read from this table.
    tableMetric('WriteThrottleEvents', tables.rateLimits, 'rate limits, writes'),
  ];
}

function throttledTables(monitored: Monitored): Metric[] {
  const { snapshots } = monitored.tables;
  return [
    ...throttledForCallers(monitored),
    tableMetric('WriteThrottleEvents', snapshots, 'snapshots, writes'),
  ];
}

function section(monitored: Monitored): Section {
  const functions = allFunctions(monitored).map(([name, each]) =>
    each.metricThrottles({ period, label: name }),
  );
  return {
    question: 'Does AWS give us what we ask for?',
    well: 'Nothing is throttled, and the account’s functions stay far below its quota.',
    rows: [
      [
        graph('Throttled by AWS', [...functions, ...throttledTables(monitored)], {
          right: [accountConcurrency()],
        }),
      ],
    ],
  };
}
