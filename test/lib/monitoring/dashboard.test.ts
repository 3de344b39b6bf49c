import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { only, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

/** The text without line breaks. */
const RUNBOOK = readFileSync(
  new URL('../../../docs/runbook.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');

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
    for (const title of titles) expect(RUNBOOK).toContain(`"${title}"`);
    for (const [, named] of RUNBOOK.matchAll(/graphs? "([^"]+)"/gi))
      expect(titles).toContain(named);
  });
});
