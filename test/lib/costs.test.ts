import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { only, resources, type Template, template } from './templates.ts';

const COSTS = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');
const MONTH_HOURS = 720;
/** USD per million requests for all markets, besides their bytes. */
const API = 3.5;
const LAMBDA = 1.53;
const LOGS = 0.25;
const CLOUDFRONT_AND_RATE_LIMIT = 1.3 + 0.78;
const ACCESS_LOG = { dev: 0, prod: 0.23 };
/** USD per GB of CloudFront: North America and Europe, and the dearest location. */
const PER_GB: Readonly<Record<string, number>> = { PriceClass_100: 0.085, PriceClass_All: 0.12 };
/** USD per GB of API Gateway. */
const PER_GB_OF_API = 0.09;

const grouped = (value: number): string => value.toLocaleString('en');
const usd = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A million responses with all markets have as many thousand GB as one has MB. */
const bytesOfMillion = (perGb: number): number =>
  numberOf(itemsOf('An attack').items.get('Megabytes of a response')?.amount) * 1_000 * perGb;

/**
 * The lines of a section that end in an amount, such as `- Alarms: 6 × 0.10 = 0.60`, their sum, and
 * the total that the section names.
 */
function itemsOf(section: string) {
  const [, rest = ''] = COSTS.split(`# ${section}\n`);
  const [text = ''] = rest.split('\n#');
  const lines = text.matchAll(/^- (.+?): (.+) = \**([\d.,]+)\**$/gm);
  const items = new Map(
    Array.from(lines, ([, name = '', arithmetic = '', amount]) => [name, { arithmetic, amount }]),
  );
  const [, total] = /\*\*Total: (\d+\.\d\d)\*\*/.exec(text) ?? [];
  return {
    items,
    sum: [...items.values()].reduce((sum, { amount }) => sum + numberOf(amount), 0),
    total: Number(total),
  };
}

const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));

/** Invocations a month of the schedules whose logical id begins so. */
function runsOf(from: Template, prefix: string): number {
  return resources(from, 'AWS::Scheduler::Schedule')
    .filter(([id]) => id.startsWith(prefix))
    .reduce((sum, [, { Properties }]) => {
      const expression = String(Properties.ScheduleExpression);
      const [, minutes = '', hour] = /^cron\((\S+) (\S+) /.exec(expression) ?? [];
      const hours = hour === '*' ? MONTH_HOURS : MONTH_HOURS / 24;
      return sum + hours * timesInHour(minutes);
    }, 0);
}

/** How often `*`, `1/2` or `20` comes in an hour. */
function timesInHour(minutes: string): number {
  const [start, step] = minutes.split('/');
  if (start === '*') return 60;
  return step === undefined ? 1 : Math.ceil((60 - Number(start)) / Number(step));
}

type Limits = Readonly<Record<string, number>>;

/** @throws Error if the template has no such usage plan */
function planOf(from: Template, name: string): Readonly<Record<'Throttle' | 'Quota', Limits>> {
  const found = resources(from, 'AWS::ApiGateway::UsagePlan').find(([id]) =>
    id.startsWith(`Plans${name}`),
  );
  if (!found) throw new Error(`There is no usage plan ${name}`);
  return found[1].Properties as Readonly<Record<'Throttle' | 'Quota', Limits>>;
}

describe('an idle month of docs/costs.md', () => {
  const { items, sum, total } = itemsOf('Idle');

  it('adds up, to at most 9.90 USD', () => {
    expect(items.size).toBeGreaterThan(7);
    expect(sum).toBeCloseTo(total, 2);
    expect(total).toBeLessThanOrEqual(9.9);
  });

  it('has the alarms and the invocations of the template', () => {
    const dev = template('dev');
    const alarms = resources(dev, 'AWS::CloudWatch::Alarm').length;
    expect(items.get('Alarms')).toEqual({
      arithmetic: `${alarms} × 0.10`,
      amount: usd(alarms * 0.1),
    });
    const runs = runsOf(dev, '');
    expect(items.get('Schedules')).toEqual({
      arithmetic: `${grouped(runs)} × 1.00 per million`,
      amount: usd(runs / 1e6),
    });
    expect(items.get('Refresher')?.arithmetic).toMatch(`${grouped(runsOf(dev, 'Refresher'))} runs`);
    expect(items.get('Check')?.arithmetic).toMatch(
      `${grouped(runs - runsOf(dev, 'Refresher'))} × 5 requests`,
    );
  });
});

describe('an idle month of `prod`', () => {
  const { items, sum, total } = itemsOf('Idle `prod`');

  it('adds up with that of `dev`', () => {
    expect(items.size).toBeGreaterThan(0);
    expect(itemsOf('Idle').total + sum).toBeCloseTo(total, 2);
  });

  it('has the alarms that only `prod` has', () => {
    const [dev, prod] = (['dev', 'prod'] as const).map(
      (stage) => resources(template(stage), 'AWS::CloudWatch::Alarm').length,
    ) as [number, number];
    expect(items.get('Alarms')).toEqual({
      arithmetic: `${prod - dev} × 0.10`,
      amount: usd((prod - dev) * 0.1),
    });
  });
});

it.each(['dev', 'prod'] as const)('docs/costs.md has what an attack on %s costs', (stage) => {
  const stack = template(stage);
  const { RateLimit: rate = 0, BurstLimit: burst = 0 } = planOf(stack, 'Public').Throttle;
  const [, distribution] = only(stack, 'AWS::CloudFront::Distribution');
  const { PriceClass = '' } = distribution.Properties.DistributionConfig as Record<string, string>;
  const bytes = bytesOfMillion(PER_GB[PriceClass] ?? Number.NaN);
  const perMillion = bytes + API + LAMBDA + LOGS + CLOUDFRONT_AND_RATE_LIMIT + ACCESS_LOG[stage];
  // In a day.
  const requests = 86_400 * rate + burst;
  expect(itemsOf('An attack').items.get(`\`${stage}\``)).toEqual({
    arithmetic: `${grouped(requests)} requests (${rate} a second, burst ${burst}) × ${usd(perMillion)} per million`,
    amount: usd((requests * perMillion) / 1e6),
  });
});

it('docs/costs.md has the preflights that a stage without an edge allows', () => {
  const noEdge = template('noEdge');
  const methods = resources(noEdge, 'AWS::ApiGateway::Method').map(
    ([, { Properties }]) => Properties.HttpMethod,
  );
  const paths = methods.filter((method) => method === 'OPTIONS').length;
  const [, stage] = only(noEdge, 'AWS::ApiGateway::Stage');
  const [{ ThrottlingRateLimit: rate = 0 } = {}] = stage.Properties.MethodSettings as Record<
    string,
    number
  >[];
  const cost = usd((paths * rate * 3_600 * API) / 1e6);
  expect(COSTS).toContain(
    `${paths} paths × ${rate} a second × 3,600 × 3.50 per million = ${cost} an hour.`,
  );
});

it('docs/costs.md adds up a million requests', () => {
  const { sum, total } = itemsOf('A million requests');
  expect(sum).toBeCloseTo(total, 2);
});

it('docs/costs.md has the cost of each number of clients', () => {
  const { total } = itemsOf('A million requests');
  const rows = [...COSTS.matchAll(/^\| ([\d,]+) \| ([\d,.]+) \|/gm)];
  expect(rows.map(([, clients]) => numberOf(clients))).toEqual([
    100, 1_000, 10_000, 100_000, 1_000_000,
  ]);
  for (const [, clients, cost] of rows) {
    // Each client sends one request a minute.
    const perDay = (numberOf(clients) * 1_440 * total) / 1e6;
    expect([clients, numberOf(cost)]).toEqual([clients, Number(perDay.toPrecision(2))]);
  }
});

it.each(['dev', 'prod'] as const)(
  'docs/costs.md has what a leaked partner key of %s costs',
  (stage) => {
    const { Limit: quota = 0 } = planOf(template(stage), 'Partner').Quota;
    const perMillion = bytesOfMillion(PER_GB_OF_API) + API + LAMBDA + LOGS + ACCESS_LOG[stage];
    expect(itemsOf('A partner').items.get(`\`${stage}\``)).toEqual({
      arithmetic: `${grouped(quota)} requests × ${usd(perMillion)} per million`,
      amount: usd((quota * perMillion) / 1e6),
    });
  },
);
