import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { startRunningService } from '../../tools/running-service.ts';
import { captureOutput } from '../support/captured-output.ts';
import { only, resources, type Template, template } from './templates.ts';

const COSTS = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');
const MONTH_HOURS = 720;
/** USD per million requests, besides bytes: API Gateway, CloudFront, Lambda, rate limit, logs; in production the access log. */
const REQUESTS = { dev: 3.5 + 1.3 + 1.53 + 0.78 + 0.25, prod: 3.5 + 1.3 + 1.53 + 0.78 + 0.25 + 0.23 };
/** USD per GB of CloudFront: North America and Europe, and the dearest location. */
const PER_GB: Readonly<Record<string, number>> = { PriceClass_100: 0.085, PriceClass_All: 0.12 };
const MIX = 9.61;

const grouped = (value: number): string => value.toLocaleString('en');
const usd = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The rows of the first table of a section, without its head. */
function rowsOf(section: string): readonly (readonly string[])[] {
  const [, text = ''] = COSTS.split(`\n## ${section}\n`);
  const table = text.split('\n\n').find((block) => block.trimStart().startsWith('|')) ?? '';
  const cells = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.replaceAll('**', '').trim()));
  return cells.map((row) => row.slice(1, -1)).filter(([first = '']) => !/^-+:?$/.test(first));
}

const numberOf = (cell = ''): number => Number(cell.replaceAll(',', ''));

/** Invocations a month of the schedules whose path begins so. */
function runsOf(from: Template, prefix: string): number {
  return resources(from, 'AWS::Scheduler::Schedule')
    .filter(([id]) => id.startsWith(prefix))
    .reduce((sum, [, { Properties }]) => {
      const [, minutes = '', hour] = /^cron\((\S+) (\S+) /.exec(String(Properties.ScheduleExpression)) ?? [];
      const [start = '', step] = minutes.split('/');
      const times = start === '*' ? 60 : step === undefined ? 1 : Math.ceil((60 - Number(start)) / Number(step));
      return sum + times * (hour === '*' ? MONTH_HOURS : MONTH_HOURS / 24);
    }, 0);
}

type Limits = Readonly<Record<string, number>>;

/** @throws Error if the template has no such usage plan */
function planOf(from: Template, name: string): Readonly<Record<'Throttle' | 'Quota', Limits>> {
  const found = resources(from, 'AWS::ApiGateway::UsagePlan').find(([id]) => id.startsWith(`Plans${name}`));
  if (!found) throw new Error(`There is no usage plan ${name}`);
  return found[1].Properties as Readonly<Record<'Throttle' | 'Quota', Limits>>;
}

describe('an idle month of docs/costs.md', () => {
  const rows = new Map(rowsOf('Idle').map(([item = '', ...cells]) => [item, cells]));

  it.each([1, 2])('adds up in column %i, to at most 9.50 USD in us-east-1', (column) => {
    const values = [...rows].map(([item, cells]) => [item, numberOf(cells[column])] as const).slice(1);
    const total = values.at(-1)?.[1] ?? 0;
    expect(values.length).toBeGreaterThan(8);
    expect(values.slice(0, -1).reduce((sum, [, value]) => sum + value, 0)).toBeCloseTo(total, 2);
    expect(column === 1 ? total : 0).toBeLessThanOrEqual(9.5);
  });

  it('has the alarms and the invocations of the template', () => {
    const dev = template('dev');
    const alarms = resources(dev, 'AWS::CloudWatch::Alarm').length;
    expect(rows.get('Alarms')?.slice(0, 2)).toEqual([`${alarms} × 0.10`, usd(alarms * 0.1)]);
    const runs = runsOf(dev, '');
    expect(rows.get('Schedules')?.slice(0, 2)).toEqual([`${grouped(runs)} × 1.00 per million`, usd(runs / 1e6)]);
    expect(rows.get('Refresher')?.[0]).toMatch(`${grouped(runsOf(dev, 'Refresher'))} runs`);
    expect(rows.get('Check')?.[0]).toMatch(`${grouped(runs - runsOf(dev, 'Refresher'))} × 5 requests`);
  });
});

describe('an attack in docs/costs.md', () => {
  it('requests the largest response, within 5 %', async () => {
    captureOutput();
    const service = await startRunningService(500);
    const headers = { 'accept-encoding': 'identity' };
    const response = await fetch(`${service.url}/api/markets?limit=500&fields=all`, { headers });
    const { byteLength } = await response.arrayBuffer();
    await service.stop();
    const megabytes = (2_000 / Number(response.headers.get('x-total-count'))) * (byteLength / 1e6);
    const [, said] = /with all fields, uncompressed: (\d\.\d\d) MB/.exec(COSTS) ?? [];
    expect(Math.abs(Number(said) / megabytes - 1)).toBeLessThan(0.05);
  });

  it.each(['dev', 'prod'] as const)('costs %s what its plan and its locations allow', (stage) => {
    const stack = template(stage);
    const { RateLimit: rate = 0, BurstLimit: burst = 0 } = planOf(stack, 'Public').Throttle;
    const [, distribution] = only(stack, 'AWS::CloudFront::Distribution');
    const { PriceClass = '' } = distribution.Properties.DistributionConfig as Record<string, string>;
    const [, said] = /with all fields, uncompressed: (\d\.\d\d) MB/.exec(COSTS) ?? [];
    const perMillion = Number(said) * 1_000 * (PER_GB[PriceClass] ?? Number.NaN) + REQUESTS[stage];
    const [hour = 0, day = 0] = [3_600, 86_400].map((seconds) => rate * seconds + burst);
    expect(
      rowsOf('An attack')
        .find(([name]) => name === `\`${stage}\``)
        ?.slice(1),
    ).toEqual([
      `${rate}; ${burst}`,
      PER_GB[PriceClass]?.toFixed(3),
      usd(perMillion),
      `${grouped(hour)}: ${usd((hour * perMillion) / 1e6)}`,
      `${grouped(day)}: ${usd((day * perMillion) / 1e6)}`,
    ]);
  });
});

it('docs/costs.md has the preflights that a stage without an edge allows', () => {
  const noEdge = template('noEdge');
  const methods = resources(noEdge, 'AWS::ApiGateway::Method').map(([, { Properties }]) => Properties.HttpMethod);
  const paths = methods.filter((method) => method === 'OPTIONS').length;
  const [, stage] = only(noEdge, 'AWS::ApiGateway::Stage');
  const [{ ThrottlingRateLimit: rate = 0 } = {}] = stage.Properties.MethodSettings as Record<string, number>[];
  const cost = usd((paths * rate * 3_600 * 3.5) / 1e6);
  expect(COSTS).toContain(
    `Each of ${paths} paths allows ${rate} a second: ${paths * rate} × 3,600 × 3.50 per million = ${cost} an hour.`,
  );
});

it('docs/costs.md adds up a million requests, and multiplies it for each number of clients', () => {
  const items = rowsOf('A million requests').slice(1);
  expect(items.slice(0, -1).reduce((sum, row) => sum + numberOf(row.at(-1)), 0)).toBeCloseTo(MIX, 2);
  expect(numberOf(items.at(-1)?.at(-1))).toBe(MIX);
  const scale = rowsOf('Scale').slice(1);
  expect(scale.map(([clients]) => numberOf(clients))).toEqual([10, 100, 1_000, 10_000, 100_000, 1_000_000]);
  for (const [clients, , cost] of scale) {
    const perDay = (numberOf(clients) * 1_440 * MIX) / 1e6;
    expect([clients, numberOf(cost)]).toEqual([clients, Number(perDay.toPrecision(2))]);
  }
});

it.each(['dev', 'prod'] as const)('docs/costs.md has what a leaked partner key of %s costs', (stage) => {
  const { Throttle, Quota } = planOf(template(stage), 'Partner');
  const [rate = 0, quota = 0] = [Throttle.RateLimit, Quota.Limit];
  const [, perMillion] = /A million of the requests above cost (\d+\.\d\d)/.exec(COSTS.replaceAll('\n', ' ')) ?? [];
  expect(
    rowsOf('A partner')
      .find(([name]) => name === `\`${stage}\``)
      ?.slice(1),
  ).toEqual([
    `${rate} a second`,
    usd((rate * 3_600 * Number(perMillion)) / 1e6),
    grouped(quota),
    usd((quota * Number(perMillion)) / 1e6),
  ]);
});
