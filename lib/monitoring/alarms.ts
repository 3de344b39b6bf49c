import { Alarm, CfnAlarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { pascalCase } from '../pascal-case.ts';

export interface AlarmRow {
  /** Also the anchor of its section in docs/runbook.md. */
  readonly id: string;
  /** `urgent`: "Page now" in the runbook. `look`: "Look tomorrow". */
  readonly severity: 'urgent' | 'look';
  readonly meaning: string;
  readonly metric: IMetric;
  readonly breaches: 'at least' | 'more than' | 'less than';
  readonly threshold: number;
  readonly periods: readonly [breaching: number, outOf: number];
  /** A period without a value. `ignore`: the alarm keeps its state, even before its first value. */
  readonly missing: 'notBreaching' | 'ignore';
  /**
   * `clock`: periods begin at multiples of their length since midnight UTC. `sliding`: they move once a minute, so a short
   * event is in one or two periods by turns, and an alarm on several periods would start and end repeatedly.
   */
  readonly alignment: 'clock' | 'sliding';
}

export interface AlarmTopics {
  readonly email: ITopic | undefined;
  /** Only for alarms of the severity `urgent`. */
  readonly pager: ITopic | undefined;
}

interface AlarmsProps {
  readonly rows: readonly AlarmRow[];
  readonly runbookUrl: string;
  readonly topics: AlarmTopics;
}

const OPERATORS = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  'more than': ComparisonOperator.GREATER_THAN_THRESHOLD,
  'less than': ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const MISSING = {
  notBreaching: TreatMissingData.NOT_BREACHING,
  ignore: TreatMissingData.IGNORE,
} as const;

/** The runbook's words. They begin an alarm's description, which is part of its messages. */
const SEVERITIES = { urgent: 'Page now.', look: 'Look tomorrow.' } as const;

export function createAlarms(scope: Construct, { rows, runbookUrl, topics }: AlarmsProps): Alarm[] {
  return rows.map((row) => {
    const [datapointsToAlarm, evaluationPeriods] = row.periods;
    const alarm = new Alarm(scope, pascalCase(row.id), {
      alarmDescription: `${SEVERITIES[row.severity]} ${row.meaning} Runbook: ${runbookUrl}#${row.id}`,
      metric: row.metric,
      comparisonOperator: OPERATORS[row.breaches],
      threshold: row.threshold,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData: MISSING[row.missing],
    });
    if (row.alignment === 'clock' && alarm.node.defaultChild instanceof CfnAlarm) {
      alarm.node.defaultChild.evaluationWindow = { wallClockWindow: { timezone: 'UTC' } };
    }
    for (const topic of [topics.email, row.severity === 'urgent' ? topics.pager : undefined]) {
      if (!topic) continue;
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    return alarm;
  });
}
