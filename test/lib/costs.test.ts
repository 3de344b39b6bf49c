/**
 * docs/costs.md multiplies prices of AWS by numbers of the stack. These tests take the numbers from
 * the templates, repeat the arithmetic, and compare the results with the document.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { only, propertiesOf, resources, type Template, template, usagePlan } from './templates.ts';

const COSTS = readFileSync('docs/costs.md', 'utf8');
const MONTH_HOURS = 30 * 24;

/** The parts of the price of a million requests, in USD, as the document derives them. */
const API = 3.5;
const CLOUDFRONT = 1.3;
const LAMBDA = 1.53;
const RATE_LIMIT = 0.78;
const LOGS = 0.25;
const ACCESS_LOG = { dev: 0, prod: 0.23 };

/** USD per GB that CloudFront sends: in North America and Europe, and in its dearest location. */
const CLOUDFRONT_GB: Readonly<Record<string, number>> = {
  PriceClass_100: 0.085,
  PriceClass_All: 0.12,
};
/** USD per GB that API Gateway sends. */
const API_GB = 0.09;

// Numbers as the document writes them: 1,234,567 and 1,234.50.
const grouped = (value: number): string => value.toLocaleString('en');
const usd = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));

/** A section of the document. Its lines look like `- Alarms: 6 × 0.10 = 0.60`. */
interface Section {
  /** By name. For example: `Alarms` has `{ arithmetic: '6 × 0.10', amount: '0.60' }`. */
  readonly items: ReadonlyMap<string, { readonly arithmetic: string; readonly amount: string }>;
  /** The sum of the amounts. */
  readonly sum: number;
  /** The total that the section names: `**Total: 9.68**`. */
  readonly total: number;
}

function sectionOf(title: string): Section {
  const [, rest = ''] = COSTS.split(`# ${title}\n`);
  const [text = ''] = rest.split('\n#');
  const items = new Map<string, { arithmetic: string; amount: string }>();
  let sum = 0;
  const lines = text.matchAll(/^- (.+?): (.+) = \**([\d.,]+)\**$/gm);
  for (const [, name = '', arithmetic = '', amount = ''] of lines) {
    items.set(name, { arithmetic, amount });
    sum += numberOf(amount);
  }
  const [, total] = /\*\*Total: (\d+\.\d\d)\*\*/.exec(text) ?? [];
  return { items, sum, total: Number(total) };
}

/** The invocations in a month by the schedules whose logical ids begin so; '' for all of them. */
function runsOf(from: Template, prefix: string): number {
  let runs = 0;
  for (const { id, properties } of resources(from, 'AWS::Scheduler::Schedule')) {
    if (!id.startsWith(prefix)) continue;
    const expression = String(properties.ScheduleExpression);
    const [, minutes = '', hour] = /^cron\((\S+) (\S+) /.exec(expression) ?? [];
    const hours = hour === '*' ? MONTH_HOURS : MONTH_HOURS / 24;
    runs += hours * timesInHour(minutes);
  }
  return runs;
}

/** How often cron's minutes `*`, `1/2` or `20` come in an hour: 60, 30 or 1 times. */
function timesInHour(minutes: string): number {
  const [start, step] = minutes.split('/');
  if (start === '*') return 60;
  return step === undefined ? 1 : Math.ceil((60 - Number(start)) / Number(step));
}

const alarmsOf = (from: Template) => resources(from, 'AWS::CloudWatch::Alarm').length;

describe('an idle month of `dev`', () => {
  const { items, sum, total } = sectionOf('Idle');

  it('adds up, to at most 9.90 USD', () => {
    expect(items.size).toBeGreaterThan(7);
    expect(sum).toBeCloseTo(total, 2);
    expect(total).toBeLessThanOrEqual(9.9);
  });

  it('has the alarms and the invocations of the template', () => {
    const dev = template('dev');
    const alarms = alarmsOf(dev);
    expect(items.get('Alarms')).toEqual({
      arithmetic: `${alarms} × 0.10`,
      amount: usd(alarms * 0.1),
    });
    const runs = runsOf(dev, '');
    expect(items.get('Schedules')).toEqual({
      arithmetic: `${grouped(runs)} × 1.00 per million`,
      amount: usd(runs / 1e6),
    });
    const refreshes = runsOf(dev, 'Refresher');
    const checks = runs - refreshes;
    expect(items.get('Refresher')?.arithmetic).toMatch(`${grouped(refreshes)} runs`);
    expect(items.get('Check')?.arithmetic).toMatch(`${grouped(checks)} × 5 requests`);
  });
});

describe('an idle month of `prod`', () => {
  const { items, sum, total } = sectionOf('Idle `prod`');

  it('adds up with that of `dev`', () => {
    expect(items.size).toBeGreaterThan(0);
    expect(sectionOf('Idle').total + sum).toBeCloseTo(total, 2);
  });

  it('has the alarms that only `prod` has', () => {
    const added = alarmsOf(template('prod')) - alarmsOf(template('dev'));
    expect(items.get('Alarms')).toEqual({
      arithmetic: `${added} × 0.10`,
      amount: usd(added * 0.1),
    });
  });
});

/** USD for the bytes of a million responses with all markets. */
function bytesOfMillion(usdPerGb: number): number {
  const megabytes = sectionOf('An attack').items.get('Megabytes of a response')?.amount;
  // A million responses of 1 MB have 1,000 GB.
  return numberOf(megabytes) * 1_000 * usdPerGb;
}

it.each(['dev', 'prod'] as const)('a day of an attack on %s costs what is documented', (stage) => {
  const stack = template(stage);
  const { RateLimit: rate, BurstLimit: burst } = usagePlan(stack, 'Public').Throttle;
  const { DistributionConfig } = only(stack, 'AWS::CloudFront::Distribution').properties;
  const { PriceClass = '' } = DistributionConfig as { readonly PriceClass?: string };
  const bytes = bytesOfMillion(CLOUDFRONT_GB[PriceClass] ?? Number.NaN);
  const perMillion = bytes + API + CLOUDFRONT + LAMBDA + RATE_LIMIT + LOGS + ACCESS_LOG[stage];
  const requests = 24 * 3_600 * rate + burst;
  expect(sectionOf('An attack').items.get(`\`${stage}\``)).toEqual({
    arithmetic: `${grouped(requests)} requests (${rate} a second, burst ${burst}) × ${usd(perMillion)} per million`,
    amount: usd((requests * perMillion) / 1e6),
  });
});

it('an hour of preflights costs what is documented, without an edge', () => {
  const noEdge = template('noEdge');
  const paths = propertiesOf(noEdge, 'AWS::ApiGateway::Method').filter(
    ({ HttpMethod }) => HttpMethod === 'OPTIONS',
  ).length;
  const { MethodSettings } = only(noEdge, 'AWS::ApiGateway::Stage').properties;
  const [throttle] = MethodSettings as [{ readonly ThrottlingRateLimit: number }];
  const rate = throttle.ThrottlingRateLimit;
  const cost = usd((paths * rate * 3_600 * API) / 1e6);
  expect(COSTS).toContain(
    `${paths} paths × ${rate} a second × 3,600 × 3.50 per million = ${cost} an hour.`,
  );
});

it('a million requests add up', () => {
  const { sum, total } = sectionOf('A million requests');
  expect(sum).toBeCloseTo(total, 2);
});

it('the table of clients has the cost of a day, with one request a minute each', () => {
  const { total } = sectionOf('A million requests');
  // Such as `| 1,000 | 14 | nothing |`.
  const rows = [...COSTS.matchAll(/^\| ([\d,]+) \| ([\d,.]+) \|/gm)];
  expect(rows.map(([, clients]) => numberOf(clients))).toEqual([
    100, 1_000, 10_000, 100_000, 1_000_000,
  ]);
  for (const [, clients, cost] of rows) {
    const perDay = (numberOf(clients) * 24 * 60 * total) / 1e6;
    expect([clients, numberOf(cost)]).toEqual([clients, Number(perDay.toPrecision(2))]);
  }
});

it.each(['dev', 'prod'] as const)(
  'a month of a leaked partner key of %s costs what is documented',
  (stage) => {
    const { Limit: quota } = usagePlan(template(stage), 'Partner').Quota;
    const perMillion = bytesOfMillion(API_GB) + API + LAMBDA + LOGS + ACCESS_LOG[stage];
    expect(sectionOf('A partner').items.get(`\`${stage}\``)).toEqual({
      arithmetic: `${grouped(quota)} requests × ${usd(perMillion)} per million`,
      amount: usd((quota * perMillion) / 1e6),
    });
  },
);
