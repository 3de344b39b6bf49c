import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmRow } from './alarm-row.ts';
import type { Monitored } from './monitored.ts';
import { QUESTIONS } from './questions.ts';
import { ServiceMetricReader } from './service-metrics.ts';

export interface AlarmsProps {
  readonly monitored: Monitored;
  /** Told when an alarm begins and when it ends. @default nobody */
  readonly topic?: ITopic | undefined;
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

/** The alarms of all questions. Each names its section of the runbook. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { monitored, topic } = props;
    const metrics = new ServiceMetricReader(monitored.stage.name);
    const rows = QUESTIONS.flatMap((question) => question.alarms(monitored, metrics));
    this.all = rows.map((row) => this.#alarm(row, monitored.runbookUrl));
    if (!topic) return;
    const action = new SnsAction(topic);
    for (const alarm of this.all) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  #alarm(row: AlarmRow, runbookUrl: string): Alarm {
    const [datapointsToAlarm, evaluationPeriods] = row.periods;
    return new Alarm(this, pascalCase(row.id), {
      alarmDescription: `${row.happened} Runbook: ${runbookUrl}#${row.id}`,
      metric: row.metric,
      comparisonOperator: OPERATORS[row.breaches ?? 'at least'],
      threshold: row.threshold,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData: MISSING[row.missing],
    });
  }
}

function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
