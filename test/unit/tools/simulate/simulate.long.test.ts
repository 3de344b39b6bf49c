import { describe, expect, it } from '@jest/globals';
import { FRESH_SECONDS } from '../../../../lambda/contract/constants.ts';
import type { Period } from '../../../../tools/simulate/period-meter.ts';
import { SCENARIOS, type Scenario } from '../../../../tools/simulate/scenarios.ts';
import { simulate } from '../../../../tools/simulate/simulate.ts';
import { SimulatedUpstreams } from '../../../../tools/simulate/simulated-upstreams.ts';

/** What the simulated hours must keep. */
const GREATEST_AGE = 65;
const HISTORY_CALLS = 5;
const RIGHT_PERCENT = 99;

function tell(what: string, value: number | null, target: string): void {
  process.stdout.write(`${what}: ${value} (target ${target})\n`);
}

function named(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario) throw new Error(`There is no scenario ${name}`);
  return scenario;
}

async function hours(scenario: Scenario, count: number, markets = 30): Promise<Period> {
  const [period] = await simulate({ scenario, markets, periods: [{ name: 'short', minutes: 60 * count }] });
  if (!period) throw new Error('Nothing was simulated');
  return period;
}

describe('two simulated hours', () => {
  it('without a fault serve nothing older than 65 s, and ask upstream for hardly any history', async () => {
    const { greatestAge, medianAge, historyCallsARun, withoutChange, published } = await hours(
      named('No fault'),
      2,
    );
    tell('Greatest age of the prices, s', greatestAge, `at most ${GREATEST_AGE}`);
    tell('Median age of the prices, s', medianAge, 'none');
    tell('History calls a run in steady state', historyCallsARun, `at most ${HISTORY_CALLS}`);
    expect(published).toBe(120);
    expect(greatestAge).toBeLessThanOrEqual(GREATEST_AGE);
    expect(historyCallsARun).toBeLessThanOrEqual(HISTORY_CALLS);
    expect(withoutChange).toEqual({ oneDay: 0, sevenDay: 0, thirtyDay: 0 });
  });

  it.each(['The batch route is gone', 'All history is gone', 'No catalogue for ten minutes a day'])(
    '%s: prices go on, and nobody sees anything older than two minutes',
    async (name) => {
      const { greatestAge, historyCallsARun, withoutChange } = await hours(named(name), 2);
      tell(`${name}: greatest age of the prices, s`, greatestAge, `at most ${FRESH_SECONDS}`);
      expect(greatestAge).toBeLessThanOrEqual(FRESH_SECONDS + 5);
      expect(historyCallsARun).toBeLessThanOrEqual(HISTORY_CALLS);
      expect(withoutChange.oneDay).toBe(name === 'All history is gone' ? 100 : 0);
    },
  );

  it('with one failed run in ten lose no change', async () => {
    const { published, withoutChange } = await hours(named('One run in ten fails'), 2);
    expect(published).toBeLessThan(120);
    expect(withoutChange).toEqual({ oneDay: 0, sevenDay: 0, thirtyDay: 0 });
  });
});

it('a day after a deployment without any history, the 1-day changes are right', async () => {
  const { right, withoutChange } = await hours(named('All history is gone'), 26, 20);
  tell('1-day changes within half a point, %', right.oneDay, `at least ${RIGHT_PERCENT}`);
  expect(right.oneDay).toBeGreaterThanOrEqual(RIGHT_PERCENT);
  expect(withoutChange.oneDay).toBe(0);
});

it('a sample that lies up to two minutes before the start of a window is right for 99 % of the markets', async () => {
  const start = Date.parse('2026-11-21T12:00:00Z');
  const upstreams = new SimulatedUpstreams(2_000, start);
  const { records } = await upstreams.catalogue.page(undefined, 0);
  const tokens = records.flatMap((record) => (record.kind === 'listable' ? [record.market.yesTokenId] : []));
  const near = tokens.map((token, n) => {
    const exact = upstreams.truth(token, start + n * 7_777_000) ?? 0;
    const sampled = upstreams.truth(token, start + n * 7_777_000 - ((n * 7_777) % 120_000)) ?? 0;
    return Math.abs(exact - sampled) <= 0.005 + 1e-9;
  });
  const percent = (100 * near.filter(Boolean).length) / near.length;
  tell('Samples within half a point of the start of a window, %', percent, `at least ${RIGHT_PERCENT}`);
  expect(percent).toBeGreaterThanOrEqual(RIGHT_PERCENT);
});
