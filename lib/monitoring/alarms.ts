import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An alarm as data. */
export interface AlarmRow {
  /** The name of the alarm, and the anchor of its section in docs/runbook.md. */
  readonly id: string;
  /** One sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  readonly breaches: 'at least' | 'more than' | 'less than';
  readonly threshold: number;
  /** How many of the last periods must breach. */
  readonly periods: readonly [breaching: number, outOf: number];
  /** How CloudWatch treats a period without a value. */
  readonly missing: 'breaching' | 'notBreaching';
}

export interface AlarmsProps {
  readonly rows: readonly AlarmRow[];
  readonly runbookUrl: string;
  /** Receives a message when an alarm begins and when it ends. */
  readonly topic: ITopic | undefined;
}

const OPERATORS = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  'more than': ComparisonOperator.GREATER_THAN_THRESHOLD,
  'less than': ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const MISSING = {
  breaching: TreatMissingData.BREACHING,
  notBreaching: TreatMissingData.NOT_BREACHING,
} as const;

export function createAlarms(scope: Construct, { rows, runbookUrl, topic }: AlarmsProps): Alarm[] {
  return rows.map((row) => {
    const [datapointsToAlarm, evaluationPeriods] = row.periods;
    const alarm = new Alarm(scope, pascalCase(row.id), {
      alarmDescription: `${row.meaning} Runbook: ${runbookUrl}#${row.id}`,
      metric: row.metric,
      comparisonOperator: OPERATORS[row.breaches],
      threshold: row.threshold,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData: MISSING[row.missing],
    });
    if (topic) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    return alarm;
  });
}

function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
