/**
 * The CloudWatch alarms of lib/monitoring/alarms.ts. Each one has a section in docs/runbook.md, and
 * its id is the anchor of that section: the alarm `service-down` links to `runbook.md#service-down`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../lambda/io/platform/metrics.ts';
import { CRASH_LINES } from '../../../lib/monitoring/crashes.ts';
import { only, propertiesOf, template, withoutHash } from '../templates.ts';
import { VARIANTS, type Variant } from '../variants.ts';

const RUNBOOK = readFileSync('docs/runbook.md', 'utf8');

const NAMESPACE = 'MarketDataProxy/prod';
/** The topics that an alarm notifies: only alarms with the severity "Page now" use the pager. */
const EMAIL = ['MonitoringAlarmTopic'];
const EMAIL_AND_PAGER = [...EMAIL, VARIANTS.prod.alarmTopicArn];

/** An alarm in words, so that a table shows its differences. */
interface AlarmSummary {
  /** Namespace, name, and dimension. All functions share the dimension `market-data-proxy`. */
  readonly metric: string;
  /** When the alarm fires: in "2 of 3" periods. */
  readonly fires: string;
  /** How the alarm counts a period without data. */
  readonly missingData: string;
  readonly notifies: readonly unknown[];
}

/** The alarms of production by id. */
const ALARMS: Readonly<Record<string, AlarmSummary>> = {
  'service-down': {
    metric: 'AWS/Lambda Errors CheckFunction',
    fires: 'Sum of 300 s >= 3 in 1 of 1',
    missingData: 'missing',
    notifies: EMAIL_AND_PAGER,
  },
  'server-errors': {
    metric: `${NAMESPACE} InternalErrors market-data-proxy`,
    fires: 'Sum of 300 s >= 5 in 2 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL_AND_PAGER,
  },
  'functions-crash': {
    metric: `${NAMESPACE} Crashes`,
    fires: 'Sum of 300 s >= 5 in 2 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL_AND_PAGER,
  },
  'refresh-failing': {
    metric: 'AWS/Lambda Errors RefresherFunction',
    fires: 'Sum of 300 s >= 2 in 3 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL,
  },
  'prices-degraded': {
    metric: `${NAMESPACE} DegradedSnapshots market-data-proxy`,
    fires: 'Sum of 300 s >= 2 in 3 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL,
  },
  'list-short': {
    metric: `${NAMESPACE} MissingMarkets market-data-proxy`,
    fires: 'Maximum of 300 s > 5 in 3 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL,
  },
  'rate-limit-unavailable': {
    metric: `${NAMESPACE} RateLimitUnavailable market-data-proxy`,
    fires: 'Sum of 300 s >= 10 in 2 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL,
  },
  'archive-failed': {
    metric: 'AWS/Lambda Errors ArchiverFunction',
    fires: 'Sum of 3600 s >= 1 in 1 of 24',
    missingData: 'missing',
    notifies: EMAIL,
  },
  'callers-refused': {
    metric: `${NAMESPACE} CallersRefused`,
    fires: 'Sum of 300 s >= 100 in 3 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL,
  },
  'bytes-sent': {
    metric: `${NAMESPACE} BytesSent`,
    fires: 'Sum of 300 s > 5000000000 in 3 of 3',
    missingData: 'notBreaching',
    notifies: EMAIL_AND_PAGER,
  },
};
/** The alarms that read the archiver or the access log, which other stages do not have. */
const ONLY_IN_PROD = ['archive-failed', 'callers-refused', 'bytes-sent'];

const OPERATORS: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
};

/**
 * The properties of an alarm that these tests read, as CloudFormation names them.
 *
 * @see aws-cdk-lib/aws-cloudwatch/lib/cloudwatch.generated.d.ts
 */
interface AlarmProperties {
  /** Such as `Page now. It is down. Runbook: https://…/runbook.md#service-down`. */
  readonly AlarmDescription: string;
  readonly ActionsEnabled: boolean;
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Value: unknown }[];
  readonly Statistic: string;
  /** In seconds: 10, 20, 30, or a multiple of 60. */
  readonly Period: number;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  /** The N of an "M out of N" alarm. */
  readonly EvaluationPeriods: number;
  /** The M. Without it, all N. */
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
  readonly OKActions: readonly unknown[];
  readonly InsufficientDataActions?: readonly unknown[];
}

/** The alarms of a stage by id. */
function alarmsOf(variant: Variant): ReadonlyMap<string, AlarmProperties> {
  const alarms = new Map<string, AlarmProperties>();
  for (const properties of propertiesOf(template(variant), 'AWS::CloudWatch::Alarm')) {
    const alarm = properties as unknown as AlarmProperties;
    const [, id = ''] = alarm.AlarmDescription.split('#');
    alarms.set(id, alarm);
  }
  return alarms;
}

/** The logical id of a referenced resource without its hash; any other value as it is. */
function nameOf(value: unknown): unknown {
  const { Ref } = value as { readonly Ref?: string };
  return Ref === undefined ? value : withoutHash(Ref);
}

function summaryOf(alarm: AlarmProperties): AlarmSummary {
  const dimensions = (alarm.Dimensions ?? []).map(({ Value }) => nameOf(Value));
  const periods = alarm.EvaluationPeriods;
  const breaching = alarm.DatapointsToAlarm ?? periods;
  const threshold = `${OPERATORS[alarm.ComparisonOperator]} ${alarm.Threshold}`;
  return {
    metric: [alarm.Namespace, alarm.MetricName, ...dimensions].join(' '),
    fires: `${alarm.Statistic} of ${alarm.Period} s ${threshold} in ${breaching} of ${periods}`,
    missingData: alarm.TreatMissingData,
    notifies: alarm.AlarmActions.map(nameOf),
  };
}

describe('the alarms', () => {
  const alarms = alarmsOf('prod');

  it('of production are these, at most ten [sentence 44]', () => {
    const summaries = [...alarms].map(([id, alarm]) => [id, summaryOf(alarm)]);
    expect(Object.fromEntries(summaries)).toEqual(ALARMS);
    expect(alarms.size).toBeLessThanOrEqual(10);
  });

  it('have enabled actions in the template, so that drift shows a muted one', () => {
    for (const { ActionsEnabled } of alarms.values()) expect(ActionsEnabled).toBe(true);
  });

  it('notify the same topics when they clear', () => {
    for (const { AlarmActions, OKActions } of alarms.values())
      expect(OKActions).toEqual(AlarmActions);
  });

  it('notify if there is no data only where this means that nothing runs', () => {
    for (const [id, { AlarmActions, InsufficientDataActions }] of alarms) {
      const meansOutage = ['archive-failed', 'service-down'].includes(id);
      expect([id, InsufficientDataActions]).toEqual([id, meansOutage ? AlarmActions : undefined]);
    }
  });

  it('of the other stages read no access log and no archive, and notify nobody', () => {
    const expected = Object.keys(ALARMS).filter((id) => !ONLY_IN_PROD.includes(id));
    for (const variant of ['dev', 'noEdge'] as const) {
      expect([...alarmsOf(variant).keys()].toSorted()).toEqual(expected.toSorted());
      for (const alarm of alarmsOf(variant).values()) expect(alarm.AlarmActions).toBeUndefined();
    }
  });

  it('read metrics that filters take from the logs', () => {
    const filters = propertiesOf(template('prod'), 'AWS::Logs::MetricFilter');
    const metricsByPattern = new Map(
      // Each function that answers callers has the same filter of crashes. A map holds it once.
      filters.map(({ FilterPattern, MetricTransformations }) => [
        FilterPattern,
        MetricTransformations,
      ]),
    );
    const metric = (MetricName: string, MetricValue: string) => [
      { MetricName, MetricNamespace: NAMESPACE, MetricValue },
    ];
    expect(metricsByPattern).toEqual(
      new Map([
        [`%${CRASH_LINES}%`, metric('Crashes', '1')],
        ['{ $.gatewayError = "THROTTLED" }', metric('CallersRefused', '1')],
        ['{ $.responseBytes = * }', metric('BytesSent', '$.responseBytes')],
      ]),
    );
  });

  it('read each metric that the functions write', () => {
    const ofFunctions = [...alarms.values()].filter(
      ({ Namespace, Dimensions }) => Namespace === NAMESPACE && Dimensions !== undefined,
    );
    expect(ofFunctions.map(({ MetricName }) => MetricName).toSorted()).toEqual(
      Object.keys(METRICS).toSorted(),
    );
  });

  it('link to their section of the runbook, which begins with their severity', () => {
    // A heading, an empty line, and the severity in bold.
    const sections = RUNBOOK.matchAll(/^### (.+)\n\n\*\*(Page now|Look tomorrow)\b/gm);
    const severities = Array.from(sections, ([, title = '', severity]) => [
      title.toLowerCase().replaceAll(' ', '-'),
      severity,
    ]);
    const described = [...alarms].map(([id, { AlarmDescription }]) => [
      id,
      AlarmDescription.split('.')[0],
    ]);
    expect(severities.toSorted()).toEqual(described.toSorted());
  });

  it('can publish to the topic although the topic has a policy of its own', () => {
    const { properties } = only(template('prod'), 'AWS::SNS::TopicPolicy');
    const policy = JSON.stringify(properties.PolicyDocument);
    expect(policy).toContain('"Principal":{"Service":"cloudwatch.amazonaws.com"}');
    expect(policy).toContain(
      '"Condition":{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}}',
    );
    expect(policy).toContain('"Effect":"Deny"');
  });

  it('reach the email address of the stage', () => {
    expect(only(template('prod'), 'AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
    });
  });
});
