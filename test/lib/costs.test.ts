import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { resolveSettings, STAGE_FILES } from '../../lib/config/resolve-settings.ts';
import { throttlesOf } from '../../lib/config/stage-config.ts';
import { resources, template } from './templates.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const COSTS = read('docs/costs.md');
const numbers = (text: string) =>
  [...text.matchAll(/(\d[\d,]*\.\d\d)(?![\d.])/g)].map(([one]) => Number(one.replace(',', '')));
const grouped = (value: number) => value.toLocaleString('en');

/** USD per million requests of all markets with all fields. */
const PER_MILLION = 228.36;

describe('docs/costs.md', () => {
  it('adds up an idle month', () => {
    const table =
      readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8')
        .split('## Idle')[1]
        ?.split('\n\n')[2] ?? '';
    const rows = table.split('\n').map((line) => numbers(line).slice(-2));
    const totals = rows.at(-1) ?? [];
    const items = rows.slice(0, -1).filter((row) => row.length === 2);
    expect(items.length).toBeGreaterThan(8);
    for (const [column, total] of totals.entries()) {
      expect(items.reduce((sum, row) => sum + (row[column] ?? 0), 0)).toBeCloseTo(total, 2);
    }
  });

  it('counts the metrics of the alarms and the paths of preflights', () => {
    const metrics = resources(template('dev'), 'AWS::CloudWatch::Alarm').length;
    expect(COSTS).toContain(`| ${metrics} metrics × 0.10 `);
    const preflights = resources(template('noEdge'), 'AWS::ApiGateway::Method').filter(
      ([, { Properties }]) => Properties.HttpMethod === 'OPTIONS',
    ).length;
    expect(COSTS).toContain(`Each of ${preflights} paths allows 20 a second`);
  });

  it.each(['dev', 'prod'])('says the worst hour and the worst day of %s, from its settings', (stage) => {
    const { settings } = resolveSettings({ stage }, 'eu-west-1', STAGE_FILES);
    const { publicPlan } = throttlesOf(settings);
    const day = publicPlan.ratePerSecond * 86_400 + publicPlan.burst;
    expect(COSTS).toContain(`${grouped(day)} requests`);
    expect(COSTS).toContain(`${((day * PER_MILLION) / 1e6).toFixed(2)} USD`);
    const hour = publicPlan.ratePerSecond * 3_600 + publicPlan.burst;
    expect(COSTS).toContain(`${((hour * PER_MILLION) / 1e6).toFixed(2)} USD`);
    const partner = (settings.partnerRate * 3_600 * 239.28) / 1e6;
    expect(COSTS).toContain(`| ${settings.partnerRate} a second | ${partner.toFixed(2)} |`);
  });
});
