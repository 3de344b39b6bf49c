import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../lambda/io/platform/metrics.ts';
import { CRASH_LINES } from '../../../lib/monitoring/crashes.ts';
import { only, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
/** The same without line breaks. */
const PROSE = RUNBOOK.replaceAll(/\s+/g, ' ');

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

type Properties = Readonly<Record<string, unknown>>;

/** By the anchors of their sections in the runbook. */
const alarmsOf = (variant: Variant): ReadonlyMap<string, Properties> =>
  new Map(
    resources(template(variant), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => [
      String(Properties.AlarmDescription).split('#')[1] ?? '',
      Properties,
    ]),
  );

const PROD = 'MarketDataProxy/prod';
const own = (metric: string) => `${PROD} ${metric} market-data-proxy`;
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

/** A reference to a resource becomes its logical id without the hash. */
function nameOf(value: unknown): unknown {
  const { Ref } = (value ?? {}) as { readonly Ref?: string };
  return Ref === undefined ? value : Ref.slice(0, -8);
}

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

  it('send their actions by the template, so that drift shows one that somebody muted', () => {
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

  it('of the other stages need no access log and no archive, and notify nobody without an address', () => {
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

interface Widget {
  readonly type: string;
  readonly properties: { readonly title?: string; readonly metrics?: readonly unknown[] };
}

/** The widgets of the dashboard. A reference to another resource becomes `id`. */
function widgetsOf(variant: Variant): readonly Widget[] {
  const [, { Properties }] = only(template(variant), 'AWS::CloudWatch::Dashboard');
  const body = Properties.DashboardBody as { 'Fn::Join': [string, readonly unknown[]] };
  const text = body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'id')).join('');
  return (JSON.parse(text) as { widgets: Widget[] }).widgets;
}

describe('the dashboard', () => {
  it.each(['dev', 'prod', 'noEdge'] as const)(
    'has only what is free: 50 metrics and no query: %s',
    (variant) => {
      expect(widgetsOf(variant).filter(({ type }) => type === 'log')).toEqual([]);
      const metrics = widgetsOf(variant).flatMap(({ properties }) => properties.metrics ?? []);
      expect(metrics.length).toBeGreaterThan(5);
      expect(metrics.length).toBeLessThanOrEqual(50);
    },
  );

  it('shows the failed runs of the refresher, not its throttles', () => {
    const [runs] = widgetsOf('prod').filter(({ properties }) => properties.title?.includes('Runs'));
    const named = runs?.properties.metrics?.map((metric) => {
      const [, name, ...others] = metric as readonly [string, string, ...unknown[]];
      return [name, (others.at(-1) as { readonly label: string }).label];
    });
    expect(named).toEqual([
      ['Invocations', 'Runs'],
      ['Errors', 'Failed'],
      ['Duration', 'Duration (ms)'],
    ]);
  });

  it('has the graphs that the runbook names, and no others [sentence 44]', () => {
    const titles = widgetsOf('prod').flatMap(({ type, properties }) =>
      type === 'metric' ? [properties.title] : [],
    );
    for (const title of titles) expect(PROSE).toContain(`"${title}"`);
    for (const [, named] of PROSE.matchAll(/graphs? "([^"]+)"/gi)) expect(titles).toContain(named);
  });
});

describe('the saved queries', () => {
  const queries = resources(template('prod'), 'AWS::Logs::QueryDefinition').map(
    ([, { Properties }]) => Properties,
  );
  const names = queries.map(({ Name }) => String(Name).replace('market-data-proxy-prod/', ''));

  it('are in a folder of the stack', () => {
    expect(names.length).toBeGreaterThan(0);
    for (const { Name } of queries) expect(Name).toMatch(/^market-data-proxy-prod\/[a-z-]+$/);
  });

  it('are those that the runbook names', () => {
    for (const name of names) expect(RUNBOOK).toContain(`\`${name}\``);
    for (const [, named] of PROSE.matchAll(/query `([a-z-]+)`/gi)) expect(names).toContain(named);
  });

  it('of error responses show what a failed check received and expected', () => {
    const query = queries.find(({ Name }) => String(Name).endsWith('/error-responses'));
    const [, columns = ''] = /display (.+)/.exec(String(query?.QueryString)) ?? [];
    const fields = ['path', 'status', 'excerpt', 'error.message'];
    expect(columns.split(', ')).toEqual(expect.arrayContaining(fields));
  });

  it('of requests read fields of the access log', () => {
    const [, { Properties: stage }] = only(template('prod'), 'AWS::ApiGateway::Stage');
    const { Format: format } = stage.AccessLogSetting as { Format: string };
    const logged = Array.from(format.matchAll(/"(\w+)":"?\$context/g), ([, name]) => name);
    const query = queries.find(({ Name }) => String(Name).endsWith('/requests'));
    const text = String(query?.QueryString);
    const measured = Array.from(text.matchAll(/(?:pct|sum)\((\w+)/g), ([, name]) => name);
    const [, groups = ''] = /\bby (.+)/.exec(text) ?? [];
    expect(measured).toHaveLength(2);
    expect(logged).toEqual(expect.arrayContaining([...measured, ...groups.split(', ')]));
    expect(format).toContain('"route":"$context.resourcePath"');
  });

  it.each([
    ['rejected-clients', 'lambda/io/rate-limit/rate-limiter.ts', /limit', \{ (caller):/],
    [
      'upstream-failures',
      'lambda/io/upstream/client.ts',
      /fields = \{ (upstream): .+?, (route), (failure), (status),/,
    ],
  ])('%s group by fields that the functions log', (name, file, logged) => {
    const query = queries.find(({ Name }) => String(Name).endsWith(`/${name}`));
    const [, groups = ''] =
      /stats .*\bby (?:bin\(5m\), service, )?(.+)/.exec(String(query?.QueryString)) ?? [];
    expect(groups.split(', ')).toEqual(logged.exec(readFileSync(file, 'utf8'))?.slice(1));
  });

  it('and the runbook name messages that the functions log', () => {
    const texts = [PROSE, ...queries.map(({ QueryString }) => String(QueryString))];
    const messages = texts.flatMap((text) =>
      [...text.matchAll(/message (?:= )?"([^"]+)"/g)].map(([, found]) => found),
    );
    const files = readdirSync('lambda', { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const code = files
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !code.includes(`'${message}`))).toEqual([]);
  });
});

it('the budget writes to the address of the alarms, unless monthlyBudgetUsd is 0, the region has none or there is no address', () => {
  const [, { Properties }] = only(template('prod'), 'AWS::Budgets::Budget');
  expect(Properties.Budget).toMatchObject({
    BudgetLimit: { Amount: 300, Unit: 'USD' },
    TimeUnit: 'MONTHLY',
  });
  const notice = (NotificationType: string, Threshold: number) => ({
    Notification: {
      NotificationType,
      ComparisonOperator: 'GREATER_THAN',
      Threshold,
      ThresholdType: 'PERCENTAGE',
    },
    Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'on-call@example.com' }],
  });
  expect(Properties.NotificationsWithSubscribers).toEqual([
    notice('ACTUAL', 80),
    notice('FORECASTED', 100),
  ]);
  for (const variant of ['changed', 'noEdge', 'dev'] as const) {
    expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
  }
});
