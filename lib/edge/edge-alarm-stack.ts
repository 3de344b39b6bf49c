import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';
import { alarmTopics } from '../monitoring/alarm-topic.ts';
import { createAlarms } from '../monitoring/alarms.ts';

interface EdgeAlarmStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly distributionId: string;
  /** Changes the template with each deployment (see below). */
  readonly synthesisedAt: Date;
  readonly runbookUrl: string;
}

/** 5 USD an hour at 0.085 USD per GB. */
const ALARM_BYTES = 5_000_000_000;

/**
 * The alarm on the front door's bytes. It is in us-east-1, the only region with CloudFront's metrics. The
 * distribution's id is an output of another stack, which CloudFormation reads only when the alarm changes. Without the
 * time in the template, the CDK CLI skips the stack, and the alarm keeps watching a deleted distribution.
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
          severity: 'urgent',
          meaning: `The front door, as deployed at ${synthesisedAt.toISOString()}, sends more than 5 GB in five minutes, which costs 5 USD an hour.`,
          metric: bytes,
          breaches: 'more than',
          threshold: ALARM_BYTES,
          periods: [3, 3],
          missing: 'notBreaching',
          alignment: 'clock',
        },
      ],
    });
  }
}
