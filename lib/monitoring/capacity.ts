import type { AlarmRow } from './alarm-row.ts';
import {
  accountConcurrency,
  accountThrottles,
  FIVE_MINUTES,
  type Monitored,
  tableMetric,
} from './monitored.ts';
import { total } from './service-metrics.ts';

/** Does AWS give us what we ask for? */
export function capacityAlarms(monitored: Monitored): AlarmRow[] {
  const { tables } = monitored;
  const period = FIVE_MINUTES;
  const throttledTables = [
    tableMetric('ReadThrottleEvents', tables.snapshots, 'snapshots, reads'),
    tableMetric('WriteThrottleEvents', tables.snapshots, 'snapshots, writes'),
    // Updates that give back what they wrote are writes: nothing is read from this table.
    tableMetric('WriteThrottleEvents', tables.rateLimits, 'rate limits, writes'),
  ];
  return [
    {
      id: 'lambda-throttles',
      happened: 'Lambda refuses to start functions: callers get errors, or the refresh is late.',
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
      happened: 'DynamoDB refuses reads or writes for being too many.',
      metric: total(throttledTables, 'Throttled requests', period),
      threshold: 10,
      periods: [1, 1],
      missing: 'notBreaching',
    },
  ];
}
