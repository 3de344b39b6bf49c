import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FunctionName } from '../../../../lambda/contract/environment.ts';
import { ENVIRONMENT } from '../../../../lambda/contract/environment.ts';
import {
  METRIC_SOURCES,
  METRICS,
  type MetricName,
  metricsNamespace,
} from '../../../../lambda/contract/metrics.ts';
import { BUDGET_SECTION } from '../../../../lib/monitoring/monthly-budget.ts';
import { SAVED_QUERIES, type SavedQuery } from '../../../../lib/monitoring/query-table.ts';
import {
  identity,
  identityOf,
  metricsOf,
  metricsOfAlarm,
  metricsOfWidget,
  widgetsOf,
} from '../../../support/metric-lines.ts';
import { type OutputLine, outputOf } from '../../../support/operator-output.ts';
import { runbookAnchors, runbookSections } from '../../../support/runbook.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { OPERATED } from '../../../support/variants.ts';

// With an access log, an edge, an e-mail address and a budget: everything there can be.
const STAGE = 'prod';
const template = synthesizeStack(...OPERATED);
const NAMESPACE = metricsNamespace(STAGE);
const SERVICES = Object.keys(ENVIRONMENT) as FunctionName[];

const alarms = resources(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
const anchors = alarms.map(
  ({ AlarmDescription }) => /Runbook: docs\/runbook\.md#([\w-]+)$/.exec(String(AlarmDescription))?.[1],
);
const [dashboard] = resources(template, 'AWS::CloudWatch::Dashboard').map(([, { Properties }]) => Properties);
const widgets = widgetsOf(dashboard?.DashboardBody);
const filtered = resources(template, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
  (Properties.MetricTransformations as { MetricName: string; MetricNamespace: string }[]).map((metric) =>
    identity(metric.MetricNamespace, metric.MetricName, {}),
  ),
);
const ours = (metric: string) => metric.startsWith(`${NAMESPACE} `);
const onAlarms = alarms.flatMap(metricsOfAlarm).map(identityOf).filter(ours);
const onDashboard = widgets.flatMap(metricsOfWidget).filter(ours);
const sections = runbookSections(readFileSync('docs/runbook.md', 'utf8'));

const output = new Map<FunctionName, OutputLine[]>();
beforeAll(async () => {
  process.env.METRICS_NAMESPACE = NAMESPACE;
  for (const service of SERVICES) output.set(service, await outputOf(service));
});
const linesOf = (services: readonly FunctionName[]) =>
  services.flatMap((service) => output.get(service) ?? []);
const emitted = () => new Set(linesOf(SERVICES).flatMap(metricsOf));

describe('the metrics', () => {
  it('of the contract are what the functions tell when everything happens to them', () => {
    const promised = Object.entries(METRIC_SOURCES).flatMap(([name, services]) =>
      services.map((service) => `${service} ${name}`),
    );
    const told = SERVICES.flatMap((service) =>
      linesOf([service]).flatMap((line) =>
        Object.keys(line).flatMap((field) => (field in METRICS ? [`${service} ${field}`] : [])),
      ),
    );
    expect(unique(told)).toEqual(promised.sort());
  });

  it('of CloudWatch are those that the contract keeps as such, with these dimensions: each costs 0.30 USD a month', () => {
    const kept = (Object.keys(METRICS) as MetricName[]).flatMap((name) => {
      const dimensions =
        METRICS[name].kept === 'shared' ? { functions: 'all' } : { service: 'refresh-snapshot' };
      return METRICS[name].kept === 'log' ? [] : [identity(NAMESPACE, name, dimensions)];
    });
    expect([...emitted()].sort()).toEqual(kept.sort());
  });

  it('that alarms and dashboard look at are all emitted, by the functions or by a filter of a log', () => {
    const known = new Set([...emitted(), ...filtered]);
    expect([...onAlarms, ...onDashboard].filter((metric) => !known.has(metric))).toEqual([]);
    expect(onAlarms.length).toBeGreaterThanOrEqual(5);
  });

  it('that are emitted are all on the dashboard', () => {
    const shown = new Set(onDashboard);
    expect([...emitted(), ...filtered].filter((metric) => !shown.has(metric))).toEqual([]);
  });

  it('that are kept in the log are all on the dashboard too, and its queries ask for nothing else', () => {
    const queries = widgets.flatMap(({ type, properties }) =>
      type === 'log' ? [properties.query ?? ''] : [],
    );
    const asked = unique(queries.flatMap((query) => texts(query, /(?:ispresent|sum|max)\((\w+)\)/g)));
    const inLog = (Object.keys(METRICS) as MetricName[]).filter((name) => METRICS[name].kept === 'log');
    expect(inLog.filter((name) => !asked.includes(name))).toEqual([]);
    expect(asked.filter((name) => !(name in METRICS))).toEqual([]);
  });
});

describe('the runbook', () => {
  it('has a section for each alarm and for the budget, and none besides', () => {
    template.resourceCountIs('AWS::Budgets::Budget', 1);
    expect(sections.map(({ anchor }) => anchor).sort()).toEqual([...anchors, BUDGET_SECTION].sort());
  });

  it.each(sections)(
    'says of $anchor what it means, how to look and what to do',
    ({ parts, queries, widgets: named }) => {
      expect(parts).toEqual(['What it means.', 'How to look.', 'What to do.']);
      expect(queries.length + named.length).toBeGreaterThan(0);
    },
  );

  it('names queries and widgets that exist, and each of them at least once', () => {
    const titles = widgets.flatMap(({ type, properties }) =>
      type === 'text' ? [] : [properties.title ?? ''],
    );
    const queries = resources(template, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) =>
      String(Properties.Name),
    );
    const folder = `market-data-proxy-${STAGE}/`;
    expect(unique(sections.flatMap(({ queries: named }) => named.map((id) => `${folder}${id}`)))).toEqual(
      queries.sort(),
    );
    const named = unique(sections.flatMap(({ widgets: all }) => all));
    expect(named.filter((title) => !titles.includes(title))).toEqual([]);
  });

  it('refers to sections that exist', () => {
    const text = readFileSync('docs/runbook.md', 'utf8');
    const links = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
    const known = runbookAnchors(text);
    expect(links.filter((anchor) => !known.includes(String(anchor)))).toEqual([]);
  });
});

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

describe('the dashboard', () => {
  it('asks its five questions from top to bottom', () => {
    const headings = [...widgets]
      .sort((one, other) => one.y - other.y)
      .flatMap(({ properties }) => properties.markdown ?? []);
    expect(headings.map((text) => text.split('\n')[0])).toEqual([
      '## Is the data fresh?',
      '## Are callers served?',
      '## Is the upstream well?',
      '## Does AWS give us what we ask for?',
      '## What does it cost?',
    ]);
  });
});

describe('the saved queries', () => {
  const accessLog = accessLogFields();
  const services: Record<SavedQuery['of'], FunctionName[]> = {
    refresher: ['refresh-snapshot'],
    readers: SERVICES.filter((service) => service !== 'refresh-snapshot' && service !== 'watch-front-door'),
    watch: ['watch-front-door'],
    'upstream callers': ['refresh-snapshot', 'get-order-book', 'get-prices-history'],
    'access log': [],
  };

  it.each(SAVED_QUERIES.filter(({ of }) => of !== 'access log'))(
    '$id filters by messages that are logged',
    ({ of, lines }) => {
      const messages = linesOf(services[of]).map(({ message }) => message);
      const wanted = lines.flatMap((line) =>
        /\bmessage\b/.test(line) ? texts(line, /(?<!level in \[)"([^"]{6,})"/g) : [],
      );
      expect(wanted.filter((message) => !messages.includes(message))).toEqual([]);
    },
  );

  it.each([...SAVED_QUERIES])('$id shows fields that there are', ({ of, lines }) => {
    const known = of === 'access log' ? accessLog : linesOf(services[of]).flatMap((line) => keysOf(line));
    expect(fieldsOf(lines).filter((field) => !known.includes(field))).toEqual([]);
  });
});

/** What a query reads, without the names it gives and what Logs Insights itself knows. */
function fieldsOf(lines: readonly string[]): string[] {
  const query = lines.filter((line) => !/^limit /.test(line)).join(' | ');
  const given = texts(query, / as (\w+)/g);
  const words = query
    .replaceAll(/"[^"]*"|\/[^/]*\/ ?/g, ' ')
    .replaceAll(/@\w+/g, ' ')
    .replaceAll(/\b\d\w*/g, ' ');
  const known = new Set([...given, ...SYNTAX]);
  return unique(texts(words, /([a-zA-Z][\w.]*)/g)).filter((word) => !known.has(word));
}

const SYNTAX =
  'filter display sort stats fields by as in or and not like desc asc bin count pct max min sum ispresent message level'.split(
    ' ',
  );

function texts(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => String(found));
}

/** Keys with those inside them, as Logs Insights names them. */
function keysOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    inner !== null && typeof inner === 'object'
      ? [key, ...keysOf(inner).map((name) => `${key}.${name}`)]
      : [key],
  );
}

function accessLogFields(): string[] {
  const formats = resources(template, 'AWS::ApiGateway::Stage').map(
    ([, { Properties }]) => (Properties.AccessLogSetting as { Format: string }).Format,
  );
  return formats.flatMap((format) => Object.keys(JSON.parse(format)));
}
