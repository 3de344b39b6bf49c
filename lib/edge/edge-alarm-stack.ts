import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';
import { alarmTopics } from '../monitoring/alarm-topic.ts';
import { createAlarms } from '../monitoring/alarms.ts';

interface EdgeAlarmStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly distributionId: string;
  readonly runbookUrl: string;
}

/** At 0.085 USD per GB this is 5 USD an hour. */
const ALARM_BYTES = 5_000_000_000;

/**
 * The alarm on the bytes that the front door sends. CloudFront's metrics are in us-east-1 only, and an alarm must be in the
 * region of its metric.
 */
export class EdgeAlarmStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeAlarmStackProps) {
    super(scope, id, props);
    const { stage, distributionId, runbookUrl } = props;
    const bytes = new Metric({
      namespace: 'AWS/CloudFront',
      metricName: 'BytesDownloaded',
      dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
      statistic: Stats.SUM,
      period: Duration.minutes(5),
    });
    createAlarms(this, {
      runbookUrl,
      topics: alarmTopics(this, stage),
      rows: [
        {
          id: 'edge-bytes',
          severity: 'page',
          meaning: 'The front door sends more than 5 GB in five minutes, which costs 5 USD an hour.',
          metric: bytes,
          breaches: 'more than',
          threshold: ALARM_BYTES,
          periods: [3, 3],
          missing: 'notBreaching',
          window: 'clock',
        },
      ],
    });
  }
}
