import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METRICS, METRICS_SERVICE, metricsNamespace } from '../../../lambda/platform/metrics.ts';
import { only, type Resource, resources, type StackId, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface MetricQuery {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string };
}

function alarmsOf(variant: Variant, stack: StackId = 'MarketDataProxy'): ReadonlyMap<string, Resource['Properties']> {
  const rows = resources(template(variant, stack), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const [, id = ''] = /#([\w-]+)$/.exec(String(Properties.AlarmDescription)) ?? [];
    return [id, Properties] as const;
  });
  return new Map(rows);
}

/** The metrics that an alarm reads, and its expression if it has one. */
function readsOf(alarm: Resource['Properties']): { metrics: Metric[]; expression?: string | undefined } {
  const queries = alarm.Metrics as readonly MetricQuery[] | undefined;
  if (!queries) return { metrics: [alarm as unknown as Metric] };
  return {
    metrics: queries.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
    expression: queries.find(({ Expression }) => Expression !== undefined)?.Expression,
  };
}

function periodOf(alarm: Resource['Properties']): number {
  const queries = alarm.Metrics as readonly MetricQuery[] | undefined;
  return Number(alarm.Period ?? queries?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period);
}

const service = alarmsOf('prod');
const edge = alarmsOf('prod', 'MarketDataProxyEdgeAlarm');
const all = new Map([...service, ...edge]);

describe('the alarms', () => {
  /** id → severity, comparison, threshold, seconds of a period, breaching periods, out of how many, no data, window */
  const TABLE = {
    'data-age': ['Page now', 'GreaterThanThreshold', 150, 300, 1, 1, 'breaching', 'sliding'],
    'refresh-failing': ['Page now', 'GreaterThanOrEqualToThreshold', 3, 900, 1, 1, 'notBreaching', 'sliding'],
    'refresh-not-running': ['Page now', 'LessThanThreshold', 1, 480, 1, 1, 'breaching', 'sliding'],
    'unreadable-markets': ['Look tomorrow', 'GreaterThanThreshold', 5, 300, 3, 3, 'notBreaching', 'UTC'],
    'server-errors': ['Page now', 'GreaterThanThreshold', 5, 300, 2, 3, 'notBreaching', 'UTC'],
    'slow-responses': ['Look tomorrow', 'GreaterThanThreshold', 3_000, 300, 3, 3, 'notBreaching', 'UTC'],
    // Nine tenths of 100 requests a second.
    'plan-throttled': ['Look tomorrow', 'GreaterThanOrEqualToThreshold', 5_400, 60, 3, 5, 'notBreaching', 'sliding'],
    'quota-nearly-used': ['Look tomorrow', 'GreaterThanThreshold', 800_000, 86_400, 1, 1, 'notBreaching', 'sliding'],
    'rate-limit-unavailable': ['Look tomorrow', 'GreaterThanOrEqualToThreshold', 10, 300, 2, 3, 'notBreaching', 'UTC'],
    'front-door-closed': ['Page now', 'LessThanThreshold', 1, 300, 2, 3, 'breaching', 'UTC'],
    'archive-late': ['Look tomorrow', 'LessThanThreshold', 1, 3_600, 26, 26, 'notBreaching', 'UTC'],
    'edge-bytes': ['Page now', 'GreaterThanThreshold', 5_000_000_000, 300, 3, 3, 'notBreaching', 'UTC'],
  } as const;
  const READS: Readonly<Record<keyof typeof TABLE, readonly [metrics: string, expression?: string | undefined]>> = {
    'data-age': ['MarketDataProxy/prod SnapshotAge', 'FILL(age, 1500)'],
    'refresh-failing': ['AWS/Lambda Errors', undefined],
    'refresh-not-running': ['AWS/Lambda Invocations', 'FILL(runs, 0)'],
    'unreadable-markets': ['MarketDataProxy/prod UnreadableMarkets', undefined],
    'server-errors': [
      'AWS/ApiGateway Count, AWS/ApiGateway 5XXError',
      'IF(requests >= 20, 100 * errors / requests, 0)',
    ],
    // A slow request at night is no alarm: fewer than 100 requests have no meaningful percentile.
    'slow-responses': ['AWS/ApiGateway Count, AWS/ApiGateway Latency', 'IF(requests >= 100, latency, 0)'],
    'plan-throttled': ['AWS/ApiGateway Count', undefined],
    'quota-nearly-used': ['AWS/ApiGateway Count', undefined],
    'rate-limit-unavailable': ['MarketDataProxy/prod RateLimitUnavailable', undefined],
    'front-door-closed': ['AWS/Lambda Invocations, AWS/Lambda Errors', 'FILL(checks, 0) - FILL(failures, 0)'],
    'archive-late': ['AWS/Lambda Invocations, AWS/Lambda Errors', 'FILL(runs, 0) - FILL(failures, 0)'],
    'edge-bytes': ['AWS/CloudFront BytesDownloaded', undefined],
  };

  it('are these, with these severities, thresholds, metrics and expressions', () => {
    const actual = [...all].map(([id, alarm]) => {
      const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = alarm;
      const numbers = [Threshold, periodOf(alarm), DatapointsToAlarm, EvaluationPeriods];
      const { metrics, expression } = readsOf(alarm);
      const names = metrics.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`).join(', ');
      const [severity] = String(alarm.AlarmDescription).split('.');
      const { EvaluationWindow } = alarm as { EvaluationWindow?: { WallClockWindow: { Timezone: string } } };
      const window = EvaluationWindow?.WallClockWindow.Timezone ?? 'sliding';
      return [id, [severity, ComparisonOperator, ...numbers, TreatMissingData, window, names, expression]];
    });
    expect(Object.fromEntries(actual)).toEqual(
      Object.fromEntries(Object.entries(TABLE).map(([id, row]) => [id, [...row, ...READS[id as keyof typeof TABLE]]])),
    );
  });

  it('read metrics of the service only as the contract names them', () => {
    const own = [...all.values()]
      .flatMap((alarm) => readsOf(alarm).metrics)
      .filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
    for (const { Namespace, MetricName, Dimensions } of own) {
      expect(Namespace).toBe(metricsNamespace('prod'));
      expect(Object.keys(METRICS)).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: 'service', Value: METRICS_SERVICE }]);
    }
  });

  it('of the edge read the metrics of the distribution in all regions', () => {
    const [bytes] = readsOf(edge.get('edge-bytes') ?? {}).metrics;
    expect(bytes?.Dimensions).toContainEqual({ Name: 'Region', Value: 'Global' });
  });

  it('link to their section of the runbook', () => {
    const headings = [...RUNBOOK.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
    const anchors = headings.map((title) => title.toLowerCase().replaceAll(' ', '-'));
    for (const id of all.keys()) expect(anchors).toContain(id);
  });

  it('of the refresher and of the watch read their own function', () => {
    const nameOf = (id: string) => readsOf(service.get(id) ?? {}).metrics[0]?.Dimensions?.[0];
    for (const id of ['refresh-failing', 'refresh-not-running']) {
      expect(JSON.stringify(nameOf(id))).toMatch(/"FunctionName".*"RefresherFunction/);
    }
    expect(JSON.stringify(nameOf('front-door-closed'))).toContain('FrontDoorWatchFunction');
  });

  it('send an email when they begin and when they end, and use the pager if a person must act now', () => {
    const PAGER = 'arn:aws:sns:eu-west-1:123456789012:pager';
    for (const [id, alarm] of service) {
      const topics = String(alarm.AlarmDescription).startsWith('Page now.')
        ? [expect.anything(), PAGER]
        : [expect.anything()];
      expect([id, alarm.AlarmActions, alarm.OKActions]).toEqual([id, topics, topics]);
    }
    // The topic of the pager is in another region than this alarm.
    expect(edge.get('edge-bytes')?.AlarmActions).toEqual([expect.anything()]);
    const [, { Properties }] = only(template('prod'), 'AWS::SNS::Subscription');
    expect(Properties).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
    for (const alarm of alarmsOf('dev').values()) expect(alarm.AlarmActions).toBeUndefined();
  });

  it('can publish to the topic although the topic has a policy of its own', () => {
    const [, { Properties }] = only(template('prod'), 'AWS::SNS::TopicPolicy');
    const policy = JSON.stringify(Properties.PolicyDocument);
    expect(policy).toContain('"Principal":{"Service":"cloudwatch.amazonaws.com"}');
    expect(policy).toContain('"Condition":{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}}');
    expect(policy).toContain('"Effect":"Deny"');
  });

  it('are created after the distribution and the schedules', () => {
    for (const [, { DependsOn = [] }] of resources(template('dev'), 'AWS::CloudWatch::Alarm')) {
      expect(DependsOn).toContain('EdgeDistribution0060737B');
      expect(DependsOn.some((id) => id.startsWith('RefresherSchedulesFull'))).toBe(true);
    }
  });

  it('follow the public plan, and leave out the front door where there is no edge', () => {
    expect(alarmsOf('dev').get('plan-throttled')?.Threshold).toBe(1_080);
    expect(alarmsOf('changed').get('plan-throttled')?.Threshold).toBe(3_240);
    expect([...alarmsOf('noEdge').keys()]).not.toContain('front-door-closed');
    expect(alarmsOf('noEdge').size).toBe(9);
  });
});

interface Widget {
  readonly type: string;
  readonly properties: { readonly title?: string; readonly metrics?: readonly unknown[]; readonly region?: string };
}

function idOf(reference: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0] ?? '';
}

/** The widgets of the dashboard. A reference to another resource becomes its logical id. */
function widgetsOf(variant: Variant): readonly Widget[] {
  const [, { Properties }] = only(template(variant), 'AWS::CloudWatch::Dashboard');
  const body = Properties.DashboardBody as { 'Fn::Join': [string, readonly unknown[]] };
  const text = body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : idOf(part))).join('');
  return (JSON.parse(text) as { widgets: Widget[] }).widgets;
}

describe('the dashboard', () => {
  it.each(['dev', 'prod', 'noEdge'] as const)('has only what is free: 50 metrics and no query: %s', (variant) => {
    expect(widgetsOf(variant).filter(({ type }) => type === 'log')).toEqual([]);
    const metrics = widgetsOf(variant).flatMap(({ properties }) => properties.metrics ?? []);
    expect(metrics.length).toBeGreaterThan(25);
    expect(metrics.length).toBeLessThanOrEqual(50);
  });

  it('names the table of each of its metrics', () => {
    const tables = widgetsOf('dev')
      .flatMap(({ properties }) => properties.metrics ?? [])
      .map((metric) => metric as readonly unknown[])
      .filter(([namespace]) => namespace === 'AWS/DynamoDB')
      .map(([, name, dimension, table, options]) => [dimension, table, name, (options as { label: string }).label]);
    const [snapshots, rateLimits] = [tables[0]?.[1], tables.at(-1)?.[1]];
    expect(tables).toEqual([
      ['TableName', snapshots, 'ReadThrottleEvents', 'Snapshots, reads'],
      ['TableName', snapshots, 'WriteThrottleEvents', 'Snapshots, writes'],
      ['TableName', rateLimits, 'WriteThrottleEvents', 'Rate limit, writes'],
      ['TableName', snapshots, 'ConsumedWriteCapacityUnits', 'Snapshots'],
      ['TableName', rateLimits, 'ConsumedWriteCapacityUnits', 'Rate limit'],
    ]);
    expect(snapshots).not.toEqual(rateLimits);
  });

  it('reads the metrics of CloudFront where they are', () => {
    const widgets = widgetsOf('dev').filter(({ properties }) => properties.region === 'us-east-1');
    expect(widgets.map(({ properties }) => properties.title)).toEqual(['Requests at the edge', 'Bytes from the edge']);
  });
});

describe('the saved queries', () => {
  const queries = resources(template('prod'), 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => Properties);
  const names = queries.map(({ Name }) => String(Name));

  it('are in a folder of the stack, and those that the runbook names', () => {
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^market-data-proxy-prod\/[a-z-]+$/);
    const named = new Set([...RUNBOOK.matchAll(/[Qq]uery\s+`([a-z-]+)`/g)].map(([, name]) => name));
    expect([...named].toSorted()).toEqual(names.map((name) => name.split('/')[1]).toSorted());
  });

  it('of all functions read the log of the refresher, too', () => {
    const groups = (name: string) =>
      JSON.stringify(queries.find(({ Name }) => String(Name).endsWith(name))?.LogGroupNames);
    expect(groups('/upstream-failures')).toMatch(/RefresherFunctionLogs.*ArchiverFunctionLogs.*ReadGetOrderBookLogs/);
    expect(groups('/error-responses')).not.toContain('RefresherFunctionLogs');
  });

  it('read log groups that exist', () => {
    for (const { LogGroupNames } of queries) {
      const ids = (LogGroupNames as readonly { Ref: string }[]).map(({ Ref }) => Ref);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) expect(template('prod').Resources[id]?.Type).toBe('AWS::Logs::LogGroup');
    }
  });
});

it('the budget writes to the address of the alarms before the money is spent, unless monthlyBudgetUsd is 0 or the region has none', () => {
  const [, { Properties }] = only(template('prod'), 'AWS::Budgets::Budget');
  const monthly = { BudgetLimit: { Amount: 300, Unit: 'USD' }, TimeUnit: 'MONTHLY' };
  expect(Properties.Budget).toMatchObject(monthly);
  expect(Properties.NotificationsWithSubscribers).toMatchObject([
    { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
    { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
  ]);
  for (const variant of ['changed', 'noEdge'] as const) {
    expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
  }
});
