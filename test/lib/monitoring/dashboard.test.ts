/**
 * The CloudWatch dashboard of a stage, which the person on call reads with docs/runbook.md.
 * CloudWatch charges nothing for a dashboard with at most 50 metrics.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { only, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

/** The runbook without line breaks, which can divide a title. */
const RUNBOOK = readFileSync('docs/runbook.md', 'utf8').replaceAll(/\s+/g, ' ');

/** A metric of a graph: `['AWS/Lambda', 'Errors', …its dimensions, { label: 'Failed' }]`. */
type Metric = readonly [namespace: string, name: string, ...rest: unknown[]];

interface Widget {
  /** `metric` for a graph, `log` for a query of logs. */
  readonly type: string;
  readonly properties: { readonly title?: string; readonly metrics?: readonly Metric[] };
}

/**
 * The widgets of the CloudWatch dashboard. In the template its JSON is a list of texts and of
 * references to other resources, such as `['{"widgets":[…"', { Ref: 'RefresherFunctionE30E9FD5' }]`.
 * Each reference becomes `id` here.
 */
function widgetsOf(variant: Variant): readonly Widget[] {
  const { properties } = only(template(variant), 'AWS::CloudWatch::Dashboard');
  const body = properties.DashboardBody as { 'Fn::Join': [separator: string, parts: unknown[]] };
  const [separator, parts] = body['Fn::Join'];
  const texts = parts.map((part) => (typeof part === 'string' ? part : 'id'));
  return (JSON.parse(texts.join(separator)) as { widgets: Widget[] }).widgets;
}

describe('the dashboard', () => {
  it.each(['dev', 'prod', 'noEdge'] as const)(
    'has at most 50 metrics, and no query of logs, which would cost: %s',
    (variant) => {
      expect(widgetsOf(variant).filter(({ type }) => type === 'log')).toEqual([]);
      const metrics = widgetsOf(variant).flatMap(({ properties }) => properties.metrics ?? []);
      expect(metrics.length).toBeGreaterThan(5);
      expect(metrics.length).toBeLessThanOrEqual(50);
    },
  );

  it('shows the failed runs of the refresher, not its throttles', () => {
    const runs = widgetsOf('prod').find(({ properties }) => properties.title?.includes('Runs'));
    const metrics = runs?.properties.metrics?.map(([, name, ...rest]) => ({
      name,
      label: (rest.at(-1) as { readonly label: string }).label,
    }));
    expect(metrics).toEqual([
      { name: 'Invocations', label: 'Runs' },
      { name: 'Errors', label: 'Failed' },
      { name: 'Duration', label: 'Duration (ms)' },
    ]);
  });

  it('has the graphs that the runbook names, and no others [sentence 44]', () => {
    const titles = widgetsOf('prod').flatMap(({ type, properties }) =>
      type === 'metric' ? [properties.title] : [],
    );
    for (const title of titles) expect(RUNBOOK).toContain(`"${title}"`);
    for (const [, named] of RUNBOOK.matchAll(/graphs? "([^"]+)"/gi))
      expect(titles).toContain(named);
  });
});
