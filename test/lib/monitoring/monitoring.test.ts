import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../lambda/io/platform/metrics.ts';
import { only, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';
import { alarmsOf } from './cloudwatch.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
/** The same without line breaks. */
const PROSE = RUNBOOK.replaceAll(/\s+/g, ' ');

const service = alarmsOf('prod');
const edge = alarmsOf('prod', 'MarketDataProxyEdgeAlarm');
const all = new Map([...service, ...edge]);

describe('the alarms', () => {
  it('read metrics of the stack, of its edge, or of the code', () => {
    const ids = [...Object.keys(template('prod').Resources)].map((id) => id.slice(0, -8));
    for (const [id, { metrics }] of all) {
      expect([id, metrics.length]).not.toEqual([id, 0]);
      for (const { name: full } of metrics) {
        const [namespace = '', name = '', ...dimensions] = full.split(' ');
        if (namespace === 'MarketDataProxy/prod') expect(Object.keys(METRICS)).toContain(name);
        const known = [...ids, 'market-data-proxy', 'market-data-proxy-prod', 'Global', 'output'];
        for (const dimension of dimensions)
          expect([id, known]).toEqual([id, expect.arrayContaining([dimension.split('=')[1]])]);
      }
    }
  });

  it('begin within 15 minutes where a person must act now, and within a day or so otherwise', () => {
    // The sum of a day breaches in the minute in which it reaches the threshold.
    for (const [id, { properties, period }] of [...all].filter(([name]) => !name.startsWith('quota-'))) {
      const seconds = period * Number(properties.DatapointsToAlarm);
      const isUrgent = /^Page now\. /.test(String(properties.AlarmDescription));
      expect([id, isUrgent ? seconds <= 900 : seconds <= 26 * 3_600]).toEqual([id, true]);
    }
  });

  it('ignore the share of errors and the latency of a few requests', () => {
    const ofApi = [...all.values()].filter(({ metrics }) => /5XXError|Latency/.test(JSON.stringify(metrics)));
    expect(ofApi.map(({ expression }) => /^IF\(requests >= \d+[, ]/.test(expression))).toEqual([true, true]);
  });

  it('on the quota compare the requests of a day with 20 × 86,400: look at 80 %, page at 95 %', () => {
    const quota = [...all].filter(([id]) => id.startsWith('quota-'));
    const rows = quota.map(([id, { properties, period }]) => [
      id,
      String(properties.AlarmDescription).split('.')[0],
      period,
      properties.Threshold,
    ]);
    expect(rows).toEqual([
      ['quota-nearly-used', 'Look tomorrow', 86_400, 1_382_400],
      ['quota-used-up', 'Page now', 86_400, 1_641_600],
    ]);
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
    const withEdge = [...alarmsOf('dev').keys()];
    expect(withEdge).toContain('front-door-closed');
    expect([...alarmsOf('noEdge').keys()]).toEqual(withEdge.filter((name) => name !== 'front-door-closed'));
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
