import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../lambda/io/platform/metrics.ts';
import { CRASH_LINES } from '../../../lib/monitoring/crashes.ts';
import { only, resources, template, withoutHash } from '../templates.ts';
import type { Variant } from '../variants.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

type Properties = Readonly<Record<string, unknown>>;

/** The alarms of a stage by the anchors of their sections in the runbook. */
const alarmsOf = (variant: Variant): ReadonlyMap<string, Properties> =>
  new Map(
    resources(template(variant), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => [
      String(Properties.AlarmDescription).split('#')[1] ?? '',
      Properties,
    ]),
  );

const PROD = 'MarketDataProxy/prod';
/** A metric of the functions, with its namespace and the dimension that all of them share. */
const own = (metric: string) => `${PROD} ${metric} market-data-proxy`;
/** What an alarm of each severity does. */
const LOOK = [{ Ref: 'MonitoringAlarmTopic' }];
const PAGE = [...LOOK, 'arn:aws:sns:eu-west-1:123456789012:pager'];
type Row = readonly [metric: string, rings: string, missing: string, actions: readonly unknown[]];

/**
 * Each value as aws-cdk-lib/aws-cloudwatch/lib/cloudwatch.generated.d.ts documents it. Period:
 * "Valid values are 10, 20, 30, 60, and any multiple of 60." DatapointsToAlarm: "This is used only
 * if you are setting an 'M out of N' alarm. In that case, this value is the M, and the value that
 * you set for EvaluationPeriods is the N value." TreatMissingData: "Valid values are breaching,
 * notBreaching, ignore, and missing."
 */
const ALARMS: Readonly<Record<string, Row>> = {
  'service-down': [
    'AWS/Lambda Errors CheckFunction',
    'Sum of 300 s >= 3 in 1 of 1',
    'missing',
    PAGE,
  ],
  'server-errors': [own('InternalErrors'), 'Sum of 300 s >= 5 in 2 of 3', 'notBreaching', PAGE],
  'functions-crash': [`${PROD} Crashes`, 'Sum of 300 s >= 5 in 2 of 3', 'notBreaching', PAGE],
  'refresh-failing': [
    'AWS/Lambda Errors RefresherFunction',
    'Sum of 300 s >= 2 in 3 of 3',
    'notBreaching',
    LOOK,
  ],
  'prices-degraded': [
    own('DegradedSnapshots'),
    'Sum of 300 s >= 2 in 3 of 3',
    'notBreaching',
    LOOK,
  ],
  'list-short': [own('MissingMarkets'), 'Maximum of 300 s > 5 in 3 of 3', 'notBreaching', LOOK],
  'rate-limit-unavailable': [
    own('RateLimitUnavailable'),
    'Sum of 300 s >= 10 in 2 of 3',
    'notBreaching',
    LOOK,
  ],
  'archive-failed': [
    'AWS/Lambda Errors ArchiverFunction',
    'Sum of 3600 s >= 1 in 1 of 24',
    'missing',
    LOOK,
  ],
  'callers-refused': [
    `${PROD} CallersRefused`,
    'Sum of 300 s >= 100 in 3 of 3',
    'notBreaching',
    LOOK,
  ],
  'bytes-sent': [`${PROD} BytesSent`, 'Sum of 300 s > 5000000000 in 3 of 3', 'notBreaching', PAGE],
};
/** They read the archiver or the access log, which the other stages do not have. */
const ONLY_IN_PROD = ['archive-failed', 'callers-refused', 'bytes-sent'];
const OPERATORS: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
};

/** The logical id of a referenced resource without the hash; any other value as it is. */
function nameOf(value: unknown): unknown {
  const { Ref } = (value ?? {}) as { readonly Ref?: string };
  return Ref === undefined ? value : withoutHash(Ref);
}

/** An alarm of a template as a row of the table. */
function rowOf(alarm: Properties): Row {
  const dimensions = (alarm.Dimensions ?? []) as readonly { readonly Value: unknown }[];
  const metric = [
    alarm.Namespace,
    alarm.MetricName,
    ...dimensions.map(({ Value }) => nameOf(Value)),
  ].join(' ');
  const {
    EvaluationPeriods: periods,
    DatapointsToAlarm: datapoints = periods,
    ComparisonOperator: operator,
  } = alarm;
  const threshold = `${OPERATORS[String(operator)]} ${alarm.Threshold} in ${datapoints} of ${periods}`;
  const actions = (alarm.AlarmActions as readonly unknown[]).map((one) =>
    typeof one === 'string' ? one : { Ref: nameOf(one) },
  );
  return [
    metric,
    `${alarm.Statistic} of ${alarm.Period} s ${threshold}`,
    String(alarm.TreatMissingData),
    actions,
  ];
}

describe('the alarms', () => {
  const alarms = alarmsOf('prod');

  it('are these of production, at most ten [sentence 44]', () => {
    expect(alarms.size).toBeLessThanOrEqual(10);
    expect(Object.fromEntries([...alarms].map(([id, alarm]) => [id, rowOf(alarm)]))).toEqual(
      ALARMS,
    );
  });

  it('have enabled actions in the template, so that drift shows a muted one', () => {
    for (const { ActionsEnabled } of alarms.values()) expect(ActionsEnabled).toBe(true);
  });

  it('say when they clear, and two of them when there is no data', () => {
    for (const { AlarmActions, OKActions } of alarms.values())
      expect(OKActions).toEqual(AlarmActions);
    const silent = [...alarms].filter(([, alarm]) => alarm.InsufficientDataActions !== undefined);
    expect(silent.map(([id]) => id).toSorted()).toEqual(['archive-failed', 'service-down']);
    for (const [, alarm] of silent)
      expect(alarm.InsufficientDataActions).toEqual(alarm.AlarmActions);
  });

  it('of the other stages read no access log and no archive, and notify nobody', () => {
    const expected = Object.keys(ALARMS).filter((id) => !ONLY_IN_PROD.includes(id));
    for (const variant of ['dev', 'noEdge'] as const) {
      expect([...alarmsOf(variant).keys()].toSorted()).toEqual(expected.toSorted());
      for (const alarm of alarmsOf(variant).values()) expect(alarm.AlarmActions).toBeUndefined();
    }
  });

  it('read metrics that the functions or the access log write', () => {
    const filters = resources(template('prod'), 'AWS::Logs::MetricFilter').map(
      ([, { Properties }]) => Properties,
    );
    const transformations = filters.map(({ FilterPattern, MetricTransformations }) => [
      FilterPattern,
      MetricTransformations,
    ]);
    // The order is that of the constructs; each function that answers callers has the same filter.
    const crashes = [
      `%${CRASH_LINES}%`,
      [{ MetricName: 'Crashes', MetricNamespace: PROD, MetricValue: '1' }],
    ];
    expect(transformations).toContainEqual(crashes);
    expect(transformations.filter(([pattern]) => pattern !== crashes[0])).toEqual([
      [
        '{ $.gatewayError = "THROTTLED" }',
        [{ MetricName: 'CallersRefused', MetricNamespace: PROD, MetricValue: '1' }],
      ],
      [
        '{ $.responseBytes = * }',
        [{ MetricName: 'BytesSent', MetricNamespace: PROD, MetricValue: '$.responseBytes' }],
      ],
    ]);
    const ownAlarms = [...alarms.values()].filter(
      ({ Namespace, Dimensions }) => Namespace === PROD && Dimensions,
    );
    expect(ownAlarms.map(({ MetricName }) => MetricName).toSorted()).toEqual(
      Object.keys(METRICS).toSorted(),
    );
  });

  it('link to their section of the runbook, which begins with their severity', () => {
    // A heading, an empty line, and the severity in bold.
    const sections = [...RUNBOOK.matchAll(/^### (.+)\n\n\*\*(Page now|Look tomorrow)\b/gm)];
    const severities = sections.map(([, title = '', severity]) => [anchorOf(title), severity]);
    expect(severities.toSorted()).toEqual(
      [...alarms]
        .map(([id, { AlarmDescription }]) => [id, String(AlarmDescription).split('.')[0]])
        .toSorted(),
    );
  });

  it('can publish to the topic although the topic has a policy of its own', () => {
    const [, { Properties: subscription }] = only(template('prod'), 'AWS::SNS::Subscription');
    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
    const [, { Properties }] = only(template('prod'), 'AWS::SNS::TopicPolicy');
    const policy = JSON.stringify(Properties.PolicyDocument);
    expect(policy).toContain('"Principal":{"Service":"cloudwatch.amazonaws.com"}');
    expect(policy).toContain(
      '"Condition":{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}}',
    );
    expect(policy).toContain('"Effect":"Deny"');
  });
});
