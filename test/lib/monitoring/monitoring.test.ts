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

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

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

  it('watch the distribution of the last deployment: each synthesis changes the alarm in the other stack', () => {
    const meaning = String(edge.get('edge-bytes')?.properties.AlarmDescription);
    expect(meaning).toMatch(/as deployed at \d{4}-\d\d-\d\dT[\d:.]+Z, sends more than 5 GB/);
  });

  /**
   * "When you use a wall clock window, the alarm's period must be 1 minute, 5 minutes, 1 hour, 1 day, or 1 week. Other
   * period values aren't supported": `WallClockWindow` in aws-cdk-lib/aws-cloudwatch/lib/cloudwatch.generated.d.ts
   */
  it.each(['dev', 'prod', 'noEdge', 'changed'] as const)('have periods that a wall clock allows: %s', (variant) => {
    const aligned = resources(template(variant), 'AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => 'EvaluationWindow' in Properties,
    );
    expect(aligned.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of aligned) {
      const periods = [...JSON.stringify(Properties).matchAll(/"Period":(\d+)/g)].map(([, seconds]) => Number(seconds));
      expect([id, periods.filter((period) => ![60, 300, 3_600, 86_400, 604_800].includes(period))]).toEqual([id, []]);
    }
  });

  it('link to their section of the runbook, which begins with their severity', () => {
    const sections = [...RUNBOOK.matchAll(/^### (.+)\n\n\*\*([^.]+)\. Means\./gm)];
    const severities = new Map(sections.map(([, title = '', severity]) => [anchorOf(title), severity]));
    for (const [id, { properties }] of all) {
      expect([id, severities.get(id)]).toEqual([id, String(properties.AlarmDescription).split('.')[0]]);
    }
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
});

it('the budget writes to the address of the alarms, unless monthlyBudgetUsd is 0, the region has none or there is no address', () => {
  const [, { Properties }] = only(template('prod'), 'AWS::Budgets::Budget');
  expect(Properties.Budget).toMatchObject({ BudgetLimit: { Amount: 300, Unit: 'USD' }, TimeUnit: 'MONTHLY' });
  expect(JSON.stringify(Properties.NotificationsWithSubscribers)).toContain('"Address":"on-call@example.com"');
  for (const variant of ['changed', 'noEdge', 'dev'] as const) {
    expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
  }
});
