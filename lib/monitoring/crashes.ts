/**
 * The metric that counts crashed functions, from the lines that Lambda itself writes into their
 * logs.
 */
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { metricsNamespace } from '../../lambda/io/platform/metrics.ts';
import { FIVE_MINUTES, type Monitored } from './metrics.ts';

/**
 * Matches Lambda's own lines about a function that timed out, died or cannot start. One crash
 * writes one to five of them.
 *
 * No line of ours matches, even if it quotes an upstream: ours are JSON and begin with a brace. In
 * Lambda's dated lines, 62 characters of time and request id come first, so a text that an error
 * quotes is further to the right.
 *
 * A filter pattern accepts letters, digits, `:_#=@/;,-` and the operators `^$?[]{}|\*+.`, without
 * groups. So a dot replaces each blank.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/regex-expressions.html
 */
export const CRASH_LINES = [
  '^REPORT.*Status:.timeout',
  '^REPORT.*Status:.error',
  '^INIT_REPORT.*Status:.timeout',
  '^INIT_REPORT.*Status:.error',
  '^[0-9].{0,64}Task.timed.out',
  '^[0-9].{0,64}ERROR.Uncaught.Exception',
  '^RequestId:.{0,40}Error:.Runtime.exited',
].join('|');

const METRIC_NAME = 'Crashes';

/**
 * Counts these lines in the log of each function that answers callers, because a crashed function
 * cannot write a metric itself. Filters cost nothing, and neither does a metric without values.
 *
 * @returns the number of such lines in five minutes, of all these functions together
 */
export function crashMetric({ stage, functions }: Monitored): Metric {
  const metricNamespace = metricsNamespace(stage.name);
  for (const { logGroup } of functions.values()) {
    logGroup.addMetricFilter(METRIC_NAME, {
      filterPattern: FilterPattern.literal(`%${CRASH_LINES}%`),
      metricNamespace,
      metricName: METRIC_NAME,
      metricValue: '1',
    });
  }
  return new Metric({
    namespace: metricNamespace,
    metricName: METRIC_NAME,
    period: FIVE_MINUTES,
    statistic: Stats.SUM,
  });
}
