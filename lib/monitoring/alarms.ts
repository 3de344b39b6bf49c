/** The alarms of the service, as a table. Each has a section in docs/runbook.md. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import {
  MAX_FALLBACK_SHARE,
  MAX_UNREADABLE_PERCENT,
} from '../../lambda/core/contract/constants.ts';
import { pascalCase } from '../pascal-case.ts';
import { crashMetric } from './crashes.ts';
import { accessLogMetric, FIVE_MINUTES, type Monitored, serviceMetric } from './metrics.ts';

/** An alarm of the service as data. */
interface AlarmRow {
  /** Also the anchor of its section in docs/runbook.md. */
  readonly id: string;
  /** `page`: "Page now" in the runbook. `look`: "Look tomorrow". */
  readonly severity: 'page' | 'look';
  /** What is wrong, in a sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  readonly breaches: 'at least' | 'more than';
  readonly threshold: number;
  /** The alarm fires if this many of the last `evaluatedPeriods` breach the threshold. */
  readonly breachingPeriods: number;
  readonly evaluatedPeriods: number;
  /**
   * Set for metrics that are missing only if nothing runs. INSUFFICIENT_DATA, the first state of an
   * alarm, then notifies too.
   */
  readonly notifiesOnSilence?: true;
}

/** The SNS topics that alarms notify. */
export interface AlarmTopics {
  readonly email: ITopic | undefined;
  /** Only for alarms of the severity `page`. */
  readonly pager: ITopic | undefined;
}

const OPERATORS = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  'more than': ComparisonOperator.GREATER_THAN_THRESHOLD,
} as const;
/** The runbook's words. They begin an alarm's description, which is part of its messages. */
const SEVERITIES = { page: 'Page now.', look: 'Look tomorrow.' } as const;

/** How most metrics are added up. */
const FIVE_MINUTE_SUM = { period: FIVE_MINUTES, statistic: Stats.SUM } as const;
/** 5 GB in five minutes are 60 GB an hour. At 0.085 USD per GB, this costs 5 USD an hour. */
const MAX_BYTES_IN_FIVE_MINUTES = 5_000_000_000;

/** Each alarm reads one metric, because AWS charges by the metric (docs/costs.md). */
function alarmRows(monitored: Monitored): AlarmRow[] {
  return [
    ...responseRows(monitored),
    ...dataRows(monitored),
    ...archiveRows(monitored),
    ...(monitored.stage.production ? accessLogRows(monitored) : []),
  ];
}

/** The alarms about responses to callers. */
function responseRows(monitored: Monitored): AlarmRow[] {
  const { stage, check } = monitored;
  return [
    {
      id: 'service-down',
      severity: 'page',
      meaning: 'Three checks in five minutes failed or timed out, or no check ran.',
      metric: check.metricErrors(FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 3,
      breachingPeriods: 1,
      evaluatedPeriods: 1,
      notifiesOnSilence: true,
    },
    {
      id: 'server-errors',
      severity: 'page',
      meaning: 'The functions send 500: a defect.',
      metric: serviceMetric(stage, 'InternalErrors', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 5,
      breachingPeriods: 2,
      evaluatedPeriods: 3,
    },
    {
      id: 'functions-crash',
      severity: 'page',
      meaning: 'Functions time out, run out of memory, or cannot start.',
      metric: crashMetric(monitored),
      breaches: 'at least',
      threshold: 5,
      breachingPeriods: 2,
      evaluatedPeriods: 3,
    },
    {
      id: 'rate-limit-unavailable',
      severity: 'look',
      meaning:
        'The table of the rate limit fails or is slow. The service serves requests without it.',
      metric: serviceMetric(stage, 'RateLimitUnavailable', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 10,
      breachingPeriods: 2,
      evaluatedPeriods: 3,
    },
  ];
}

/** The alarms about the data that the refresher publishes. */
function dataRows({ stage, refresher }: Monitored): AlarmRow[] {
  return [
    {
      id: 'refresh-failing',
      severity: 'look',
      meaning: 'Runs of the refresher fail or time out.',
      metric: refresher.metricErrors(FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 2,
      breachingPeriods: 3,
      evaluatedPeriods: 3,
    },
    {
      id: 'prices-degraded',
      severity: 'look',
      meaning: `More than ${100 * MAX_FALLBACK_SHARE} % of the prices do not come from CLOB.`,
      metric: serviceMetric(stage, 'DegradedSnapshots', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 2,
      breachingPeriods: 3,
      evaluatedPeriods: 3,
    },
    {
      id: 'list-short',
      severity: 'look',
      meaning: 'The list lacks markets that Polymarket hides or that the refresher cannot read.',
      metric: serviceMetric(stage, 'MissingMarkets', {
        period: FIVE_MINUTES,
        statistic: Stats.MAXIMUM,
      }),
      breaches: 'more than',
      // The refresher writes the metric only above its limits, of which this is the smallest.
      threshold: MAX_UNREADABLE_PERCENT,
      breachingPeriods: 3,
      evaluatedPeriods: 3,
    },
  ];
}

function archiveRows({ archiver }: Monitored): AlarmRow[] {
  if (!archiver) return [];
  return [
    {
      id: 'archive-failed',
      severity: 'look',
      meaning: 'A run of the archive failed or timed out, or none began for a day.',
      // The job runs once a day, but periods are hours: without data, an alarm waits for some
      // periods more than it evaluates, which would be days.
      metric: archiver.metricErrors({ period: Duration.hours(1), statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: 1,
      breachingPeriods: 1,
      evaluatedPeriods: 24,
      notifiesOnSilence: true,
    },
  ];
}

/** The alarms that read the access log, which only stages of production have. */
function accessLogRows({ stage }: Monitored): AlarmRow[] {
  return [
    {
      id: 'callers-refused',
      severity: 'look',
      meaning: 'API Gateway rejects callers above the rate of a plan.',
      metric: accessLogMetric(stage, 'CallersRefused', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: 100,
      breachingPeriods: 3,
      evaluatedPeriods: 3,
    },
    {
      id: 'bytes-sent',
      severity: 'page',
      meaning: 'The API sends more than 5 GB in five minutes, which costs 5 USD an hour.',
      metric: accessLogMetric(stage, 'BytesSent', FIVE_MINUTE_SUM),
      breaches: 'more than',
      threshold: MAX_BYTES_IN_FIVE_MINUTES,
      breachingPeriods: 3,
      evaluatedPeriods: 3,
    },
  ];
}

/**
 * Creates an alarm for each row. An alarm notifies when it fires and when it clears; its
 * description links to the runbook.
 */
export function createAlarms(
  scope: Construct,
  monitored: Monitored,
  topics: AlarmTopics,
  runbookUrl: string,
): Alarm[] {
  return alarmRows(monitored).map((row) => {
    const alarm = new Alarm(scope, pascalCase(row.id), {
      alarmDescription: `${SEVERITIES[row.severity]} ${row.meaning} Runbook: ${runbookUrl}#${row.id}`,
      metric: row.metric,
      comparisonOperator: OPERATORS[row.breaches],
      threshold: row.threshold,
      datapointsToAlarm: row.breachingPeriods,
      evaluationPeriods: row.evaluatedPeriods,
      // The default. It is in the template so that drift detection shows a muted alarm.
      actionsEnabled: true,
      treatMissingData: row.notifiesOnSilence
        ? TreatMissingData.MISSING
        : TreatMissingData.NOT_BREACHING,
    });
    const pager = row.severity === 'page' ? topics.pager : undefined;
    for (const topic of [topics.email, pager].filter((one) => one !== undefined)) {
      const action = new SnsAction(topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      if (row.notifiesOnSilence) alarm.addInsufficientDataAction(action);
    }
    return alarm;
  });
}
