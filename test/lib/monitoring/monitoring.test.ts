import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { only, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';
import { type Alarm, alarmsOf } from './cloudwatch.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
/** The same without line breaks. */
const PROSE = RUNBOOK.replaceAll(/\s+/g, ' ');

const OPERATORS: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
};

/** An alarm, and each metric that it reads, as a line of text. */
function linesOf([id, alarm]: readonly [string, Alarm]): readonly string[] {
  const { properties, expression, metrics, period } = alarm;
  const { AlarmDescription, ComparisonOperator, Threshold, TreatMissingData, EvaluationWindow } = properties;
  const { WallClockWindow } = (EvaluationWindow ?? {}) as { readonly WallClockWindow?: { readonly Timezone: string } };
  const [severity] = String(AlarmDescription).split('.');
  const periods = `${properties.DatapointsToAlarm} of ${properties.EvaluationPeriods} × ${period} s`;
  const condition = `${expression} ${OPERATORS[String(ComparisonOperator)]} ${Threshold}`;
  return [
    `${id}: ${severity}, ${WallClockWindow?.Timezone ?? 'sliding'}, ${periods}, ${TreatMissingData}: ${condition}`,
    ...metrics.map((metric) => `  ${metric.id} = ${metric.Stat} ${metric.name}`),
  ];
}

const service = alarmsOf('prod');
const edge = alarmsOf('prod', 'MarketDataProxyEdgeAlarm');
const all = new Map([...service, ...edge]);

describe('the alarms', () => {
  /**
   * Nine tenths of 100 requests a second are 5,400 a minute; 80 and 95 % of 20 × 86,400 requests are 1,382,400 and
   * 1,641,600; fewer than 100 requests have no meaningful percentile.
   */
  const ALARMS = `
data-age: Page now, UTC, 2 of 7 × 120 s, ignore: value > 150
  value = Minimum MarketDataProxy/prod SnapshotAge service=market-data-proxy
unreadable-markets: Look tomorrow, UTC, 3 of 3 × 300 s, notBreaching: value > 5
  value = Average MarketDataProxy/prod UnreadableMarkets service=market-data-proxy
refresh-failing: Page now, sliding, 1 of 1 × 900 s, notBreaching: value >= 3
  value = Sum AWS/Lambda Errors FunctionName=RefresherFunction
refresh-not-running: Page now, sliding, 8 of 15 × 60 s, ignore: IF(RUNNING_SUM(FILL(runs, 0)) > 0, FILL(runs, 0)) < 1
  runs = Sum AWS/Lambda Invocations FunctionName=RefresherFunction
server-errors: Page now, UTC, 2 of 3 × 300 s, notBreaching: IF(requests >= 20 && errors > 1, 100 * errors / requests, 0) > 3
  requests = Sum AWS/ApiGateway Count ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
  errors = Sum AWS/ApiGateway 5XXError ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
slow-responses: Look tomorrow, UTC, 3 of 3 × 300 s, notBreaching: IF(requests >= 100, latency, 0) > 3000
  requests = Sum AWS/ApiGateway Count ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
  latency = p99 AWS/ApiGateway Latency ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
plan-throttled: Look tomorrow, sliding, 3 of 5 × 60 s, notBreaching: value >= 5400
  value = Sum AWS/ApiGateway Count ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
quota-nearly-used: Look tomorrow, sliding, 1 of 1 × 86400 s, notBreaching: value > 1382400
  value = Sum AWS/ApiGateway Count ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
quota-used-up: Page now, sliding, 1 of 1 × 86400 s, notBreaching: value > 1641600
  value = Sum AWS/ApiGateway Count ApiName=market-data-proxy-prod Stage=ReadApiDeploymentStageprod
rate-limit-unavailable: Look tomorrow, UTC, 2 of 3 × 300 s, notBreaching: value >= 10
  value = Sum MarketDataProxy/prod RateLimitUnavailable service=market-data-proxy
front-door-closed: Page now, UTC, 2 of 6 × 300 s, ignore: IF(RUNNING_SUM(checks - failures) > 0, checks - failures) < 1
  checks = Sum AWS/Lambda Invocations FunctionName=FrontDoorWatchFunction
  failures = Sum AWS/Lambda Errors FunctionName=FrontDoorWatchFunction
archive-late: Look tomorrow, UTC, 26 of 26 × 3600 s, ignore: IF(refreshes > 0, FILL(runs, 0) - FILL(failures, 0)) < 1
  refreshes = Sum AWS/Lambda Invocations FunctionName=RefresherFunction
  runs = Sum AWS/Lambda Invocations FunctionName=ArchiverFunction
  failures = Sum AWS/Lambda Errors FunctionName=ArchiverFunction
edge-bytes: Page now, UTC, 3 of 3 × 300 s, notBreaching: value > 5000000000
  value = Sum AWS/CloudFront BytesDownloaded DistributionId=output Region=Global
`;

  it('are these: severity, window, periods that breach, without data, condition, metrics', () => {
    const lines = [...all].flatMap(linesOf);
    expect(lines.join('\n')).toBe(ALARMS.trim());
  });

  it('watch the distribution of the last deployment: each synthesis changes the alarm in the other stack', () => {
    const meaning = String(edge.get('edge-bytes')?.properties.AlarmDescription);
    expect(meaning).toMatch(/as deployed at \d{4}-\d\d-\d\dT[\d:.]+Z, sends more than 5 GB/);
  });

  it('link to their section of the runbook', () => {
    const headings = [...RUNBOOK.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
    const anchors = headings.map((title) => title.toLowerCase().replaceAll(' ', '-'));
    for (const id of all.keys()) expect(anchors).toContain(id);
  });

  it('send an email when they begin and when they end, and use the pager if a person must act now', () => {
    const PAGER = 'arn:aws:sns:eu-west-1:123456789012:pager';
    for (const [id, { properties: alarm }] of service) {
      const topics = String(alarm.AlarmDescription).startsWith('Page now.')
        ? [expect.anything(), PAGER]
        : [expect.anything()];
      expect([id, alarm.AlarmActions, alarm.OKActions]).toEqual([id, topics, topics]);
    }
    // The topic of the pager is in another region than this alarm.
    expect(edge.get('edge-bytes')?.properties.AlarmActions).toEqual([expect.anything()]);
    const [, { Properties }] = only(template('prod'), 'AWS::SNS::Subscription');
    expect(Properties).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
    for (const { properties } of alarmsOf('dev').values()) expect(properties.AlarmActions).toBeUndefined();
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
    expect(alarmsOf('dev').get('plan-throttled')?.properties.Threshold).toBe(1_080);
    expect(alarmsOf('changed').get('plan-throttled')?.properties.Threshold).toBe(3_240);
    expect([...alarmsOf('noEdge').keys()]).not.toContain('front-door-closed');
    expect(alarmsOf('noEdge').size).toBe(10);
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

  it('has the graphs that the runbook names', () => {
    const titles = new Set(widgetsOf('prod').map(({ properties }) => properties.title));
    const named = [...PROSE.matchAll(/[Gg]raphs? "([^"]+)"(?: and "([^"]+)")?/g)].flatMap(([, ...found]) => found);
    expect(named.filter((title) => title !== undefined && !titles.has(title))).toEqual([]);
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

  it('and the runbook name messages that the functions log', () => {
    const texts = [PROSE, ...queries.map(({ QueryString }) => String(QueryString))];
    const messages = texts.flatMap((text) => [...text.matchAll(/message (?:= )?"([^"]+)"/g)].map(([, found]) => found));
    const files = readdirSync('lambda', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const code = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
    expect(messages.length).toBeGreaterThanOrEqual(4);
    expect(messages.filter((message) => !code.includes(`'${message}`))).toEqual([]);
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

it('the budget writes to the address of the alarms before the money is spent, unless monthlyBudgetUsd is 0, the region has none or there is no address', () => {
  const [, { Properties }] = only(template('prod'), 'AWS::Budgets::Budget');
  const monthly = { BudgetLimit: { Amount: 300, Unit: 'USD' }, TimeUnit: 'MONTHLY' };
  expect(Properties.Budget).toMatchObject(monthly);
  expect(Properties.NotificationsWithSubscribers).toMatchObject([
    { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
    { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
  ]);
  for (const variant of ['changed', 'noEdge', 'dev'] as const) {
    expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
  }
});
