import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';
import { alarmTopics } from '../monitoring/alarm-topic.ts';
import { createAlarms } from '../monitoring/alarms.ts';

interface EdgeAlarmStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly distributionId: string;
  /** Part of the alarm, so that each deployment updates it: see below. */
  readonly synthesisedAt: Date;
  readonly runbookUrl: string;
}

/** At 0.085 USD per GB this is 5 USD an hour. */
const ALARM_BYTES = 5_000_000_000;

/**
 * The alarm on the bytes that the front door sends. CloudFront's metrics are in us-east-1 only, and an alarm must be in the
 * region of its metric. The id of the distribution is an output of another stack: CloudFormation reads it only when the
 * alarm changes, and the CDK CLI skips a stack whose template is unchanged. The time makes each template another one.
 * Otherwise the alarm would go on watching a distribution that no longer exists.
 */
export class EdgeAlarmStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeAlarmStackProps) {
    super(scope, id, props);
    const { stage, distributionId, synthesisedAt, runbookUrl } = props;
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
          meaning: `The front door, as deployed at ${synthesisedAt.toISOString()}, sends more than 5 GB in five minutes, which costs 5 USD an hour.`,
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
