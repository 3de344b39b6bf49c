import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CloudWatch, type Point } from './cloudwatch.ts';

/**
 * Plays outages minute by minute against the alarms of the synthesised template. The runbook says which alarms an outage
 * rings: each of them begins once and ends once, and no other alarm begins.
 */
const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const RINGS = new Map(
  [...RUNBOOK.matchAll(/^\| ([^|]+?) +\| ((?:`[a-z-]+`(?:, )?)+|none) +\|$/gm)].map(([, outage = '', alarms = '']) => [
    outage,
    [...alarms.matchAll(/`([a-z-]+)`/g)].map(([, id = '']) => id).toSorted(),
  ]),
);

interface Run {
  readonly failed?: boolean;
  /** A run that fails can publish. @default whether it succeeds */
  readonly publishes?: boolean;
  /** From the beginning of the run to its end. */
  readonly seconds: number;
}

interface Outage {
  /** The run of a minute from the beginning of the outage on; full runs begin in even minutes. Undefined: it never begins. */
  readonly run?: (minute: number, newestAge: number) => Run | undefined;
  /** Whether the check of a minute fails: one each five minutes. */
  readonly checkFails?: (minute: number) => boolean;
  readonly requestsPerMinute?: (minute: number) => number;
  /** Minutes to play from the beginning of the outage. */
  readonly minutes?: number;
}

/** Measured with the simulated upstream and 2,000 markets. */
const FULL: Run = { seconds: 5 };
const PRICES: Run = { seconds: 3 };
const FAILS_AT_ONCE: Run = { failed: true, seconds: 1 };
/** Gamma responds with 5xx or not at all: a full run tries until its time ends. */
const FULL_FAILS_SLOWLY: Run = { failed: true, seconds: 113 };
const PRICES_FAIL_SLOWLY: Run = { failed: true, seconds: 52 };

const OUTAGE_MINUTES = 30;
const isFull = (minute: number) => minute % 2 === 0;
const healthy = (minute: number) => (isFull(minute) ? FULL : PRICES);
const inOutage = (minute: number) => minute >= 0 && minute < OUTAGE_MINUTES;

/** An outage of the catalogue fails full runs only. */
const catalogue = (failure: Run) => (minute: number) =>
  inOutage(minute) && isFull(minute) ? failure : healthy(minute);
/** In an outage of the prices each run publishes the catalogue's when the newest are 125 s old, and counts as failed. */
const prices = (seconds: number) => (minute: number, age: number) =>
  inOutage(minute) ? { failed: true, publishes: true, seconds: Math.max(seconds, 125 - age) } : healthy(minute);
const these = (minutes: readonly number[], failure: Run | undefined) => (minute: number) =>
  minutes.includes(minute) ? failure : healthy(minute);

const OUTAGES: Readonly<Record<string, Readonly<Record<string, Outage>>>> = {
  'The catalogue fails (Gamma)': {
    '403 or 404': { run: catalogue(FAILS_AT_ONCE) },
    '5xx or no response': { run: catalogue(FULL_FAILS_SLOWLY) },
  },
  'The prices fail (CLOB)': {
    '403 or 404': { run: prices(1) },
    '5xx or no response': { run: prices(15) },
    'price runs alone': { run: (minute) => (inOutage(minute) && !isFull(minute) ? FAILS_AT_ONCE : healthy(minute)) },
  },
  'All upstreams fail': {
    'at once': { run: (minute) => (inOutage(minute) ? FAILS_AT_ONCE : healthy(minute)) },
    slowly: {
      run: (minute) => {
        if (!inOutage(minute)) return healthy(minute);
        return isFull(minute) ? FULL_FAILS_SLOWLY : PRICES_FAIL_SLOWLY;
      },
    },
  },
  'The schedule stops': { 'for 30 minutes': { run: (minute) => (inOutage(minute) ? undefined : healthy(minute)) } },
  'One run fails, or does not begin': {
    'a full run fails': { run: these([0], FULL_FAILS_SLOWLY) },
    'a price run fails': { run: these([1], FAILS_AT_ONCE) },
    'a run does not begin': { run: these([0], undefined) },
    'two runs fail': { run: these([0, 7], FAILS_AT_ONCE) },
  },
  'Three runs fail within ten minutes': {
    'in a row': { run: these([0, 1, 2], FAILS_AT_ONCE) },
    slowly: { run: these([0, 4, 8], FULL_FAILS_SLOWLY) },
    'of both kinds': { run: these([1, 4, 9], FAILS_AT_ONCE) },
  },
  'One check of the front door fails': {
    once: { checkFails: (minute) => minute === 0 },
    'every half hour': { checkFails: (minute) => minute >= 0 && minute % 30 === 0, minutes: 180 },
  },
  'Two checks of the front door fail in a row': {
    twice: { checkFails: (minute) => minute === 0 || minute === 5 },
    'for half an hour': { checkFails: inOutage },
  },
  'A flood of 30 minutes': {
    'of 50 requests a second': { requestsPerMinute: (minute) => (inOutage(minute) ? 3_000 : 60) },
  },
  'A flood of two hours': {
    'of 50 requests a second': {
      requestsPerMinute: (minute) => (minute >= 0 && minute < 120 ? 3_000 : 10),
      minutes: 30 * 60,
    },
  },
};

/** How late metrics arrive, and in which second of its minute the scheduler begins a run. */
const DELAYS: Readonly<Record<string, { readonly lag: number; readonly second: (minute: number) => number }>> = {
  'metrics after 30 s': { lag: 30, second: () => 1 },
  'metrics after 90 s, the scheduler at any second': { lag: 90, second: (minute) => Math.abs(minute * 37) % 60 },
  'metrics after 120 s, the scheduler 59 s late': { lag: 120, second: () => 59 },
};

/** The dimensions of the API's metrics. */
const API = 'ApiName=market-data-proxy-dev Stage=ReadApiDeploymentStagedev';
const WARM_UP = -60;

/** The metrics of the refresher, of the check and of the API. */
function record(
  { run = healthy, checkFails = () => false, requestsPerMinute = () => 60, minutes = 90 }: Outage,
  delay: string,
): Point[] {
  const { lag, second } = DELAYS[delay] ?? { lag: 0, second: () => 0 };
  const points: Point[] = [];
  const add = (metric: string, at: number, value: number, end = at): void => {
    points.push({ metric, at, value, visibleAt: end + lag });
  };
  const published: number[] = [];
  const ageAt = (time: number) => time - (published.findLast((at) => at <= time) ?? Number.NEGATIVE_INFINITY);
  const ends: number[] = [];
  for (let minute = WARM_UP - 15; minute < minutes; minute += 1) {
    const start = minute * 60 + second(minute);
    const one = run(minute, ageAt(start));
    if (one) {
      const end = start + one.seconds;
      add('AWS/Lambda Invocations FunctionName=RefresherFunction', start, 1, end);
      add('AWS/Lambda Errors FunctionName=RefresherFunction', start, one.failed ? 1 : 0, end);
      if (one.publishes ?? !one.failed) published.push(end);
      published.sort((a, b) => a - b);
      ends.push(end);
    }
    if (Math.abs(minute) % 5 === 0) {
      const failed = checkFails(minute);
      add('AWS/Lambda Invocations FunctionName=FrontDoorWatchFunction', start, 1, start + 50);
      add('AWS/Lambda Errors FunctionName=FrontDoorWatchFunction', start, failed ? 1 : 0, start + (failed ? 50 : 1));
    }
  }
  // A run reports the age at its end, also when it failed.
  for (const end of ends) add('MarketDataProxy/dev SnapshotAge service=market-data-proxy', end, ageAt(end));
  for (let minute = WARM_UP - 15; minute < minutes; minute += 1) {
    const count = requestsPerMinute(minute);
    add(`AWS/ApiGateway Count ${API}`, minute * 60, count);
    add(`AWS/ApiGateway 5XXError ${API}`, minute * 60, ageAt(minute * 60 + 30) > 150 ? count : 0);
    add(`AWS/ApiGateway Latency ${API}`, minute * 60, 100);
  }
  return points;
}

describe('an outage rings the alarms that the runbook names, once each', () => {
  const rows = Object.entries(OUTAGES).flatMap(([outage, kinds]) =>
    Object.entries(kinds).flatMap(([kind, scenario]) =>
      Object.keys(DELAYS).map((delay) => [outage, kind, delay, scenario] as const),
    ),
  );

  it('and the runbook has a row for each outage', () => {
    expect([...RINGS.keys()].toSorted()).toEqual(Object.keys(OUTAGES).toSorted());
  });

  it.each(rows)('%s, %s, %s', (outage, _kind, delay, scenario) => {
    const states = new CloudWatch('dev', record(scenario, delay)).play(WARM_UP, scenario.minutes ?? 90);
    const expected = Object.keys(states).map((id) => [id, RINGS.get(outage)?.includes(id) ? ['ALARM', 'OK'] : []]);
    expect(states).toEqual(Object.fromEntries(expected));
  });
});
