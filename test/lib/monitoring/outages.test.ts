import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Variant } from '../variants.ts';
import { CloudWatch, MISSING_VALUES } from './cloudwatch.ts';
import { type Check, DELAYS, healthy, isFull, type Outage, type Run, record, WARM_UP } from './recording.ts';

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

const FAILS_AT_ONCE: Run = { failed: true, seconds: 1 };
/** Gamma responds with 5xx or not at all: a full run tries until its time ends. */
const FULL_FAILS_SLOWLY: Run = { failed: true, seconds: 113 };
const PRICES_FAIL_SLOWLY: Run = { failed: true, seconds: 52 };

const OUTAGE_MINUTES = 30;
const inOutage = (minute: number) => minute >= 0 && minute < OUTAGE_MINUTES;
/** A value of the minutes of the outage, and that of all others. */
const during =
  <T>(value: T, otherwise: T) =>
  (minute: number) =>
    inOutage(minute) ? value : otherwise;
const failingChecks = during<Check>('fails', 'succeeds');

/** An outage of the catalogue fails full runs only. */
const catalogue = (failure: Run) => (minute: number) =>
  inOutage(minute) && isFull(minute) ? failure : healthy(minute);
/** In an outage of the prices each run publishes the catalogue's when the newest are 125 s old, and counts as failed. */
const prices = (seconds: number) => (minute: number, age: number) =>
  inOutage(minute)
    ? { failed: true, publishes: true, degraded: true, seconds: Math.max(seconds, 125 - age) }
    : healthy(minute);
/** Some calls of CLOB fail for as long as a run tries them, so their markets are carried. */
const halfOfPrices = (isAffected: (minute: number) => boolean) => (minute: number) =>
  isAffected(minute) ? { degraded: true, seconds: 15 } : healthy(minute);
const these = (minutes: readonly number[], failure: Run | undefined) => (minute: number) =>
  minutes.includes(minute) ? failure : healthy(minute);

/** One run in so many succeeds. */
const brownOut = (oneIn: number, failure: (minute: number) => Run): Outage => ({
  minutes: 240,
  run: (minute) => (minute < 0 || minute >= 120 || minute % oneIn === 0 ? healthy(minute) : failure(minute)),
});
const slowly = (minute: number) => (isFull(minute) ? FULL_FAILS_SLOWLY : PRICES_FAIL_SLOWLY);
const failsIf = (condition: boolean): Check => (condition ? 'fails' : 'succeeds');
const HOUR = 60;
const DAY = 24 * HOUR;
/** The first run begins one minute after the alarms exist. A custom domain needs a quarter of an hour. */
const firstDeployment = (variant: Variant): Outage => ({
  variant,
  createdAt: -1,
  check: (minute) => failsIf(minute < 15),
  minutes: 3 * HOUR,
});
/** Two in five attempts of a check pass a plan that is requested two and a half times; a check has three. */
const floodedCheck = (until: number) => (minute: number) =>
  failsIf(minute >= 0 && minute < until && (minute * 2) % 5 < 3);
/** The job of the second day fails with its repetitions. */
const archiveRun = (minute: number): Check | undefined => {
  const ofDay = ((minute % DAY) + DAY) % DAY;
  const fails = minute >= 0 && minute < DAY;
  return ofDay === 20 || (fails && (ofDay === 22 || ofDay === 25)) ? failsIf(fails) : undefined;
};

const OUTAGES: Readonly<Record<string, Readonly<Record<string, Outage>>>> = {
  'The catalogue fails (Gamma)': {
    '403 or 404': { run: catalogue(FAILS_AT_ONCE) },
    '5xx or no response': { run: catalogue(FULL_FAILS_SLOWLY) },
  },
  'The prices fail (CLOB)': {
    '403 or 404': { run: prices(1) },
    '5xx or no response': { run: prices(15) },
  },
  'Price runs fail, full runs do not': {
    'at once': { run: (minute) => (inOutage(minute) && !isFull(minute) ? FAILS_AT_ONCE : healthy(minute)) },
  },
  'Half of the prices are degraded': {
    'in each run': { run: halfOfPrices(inOutage) },
    'in full runs': { run: halfOfPrices((minute) => inOutage(minute) && isFull(minute)) },
    'in four of five runs': { run: halfOfPrices((minute) => inOutage(minute) && minute % 5 !== 0) },
  },
  'All upstreams fail': {
    'at once': { run: (minute) => (inOutage(minute) ? FAILS_AT_ONCE : healthy(minute)) },
    slowly: { run: (minute) => (inOutage(minute) ? slowly(minute) : healthy(minute)) },
  },
  'The schedule stops': { 'for 30 minutes': { run: (minute) => (inOutage(minute) ? undefined : healthy(minute)) } },
  'One run fails, or does not begin': {
    'a full run fails': { run: these([0], FULL_FAILS_SLOWLY) },
    'a price run fails': { run: these([1], FAILS_AT_ONCE) },
    'a run does not begin': { run: these([0], undefined) },
    'two runs carry half of the prices': { run: halfOfPrices((minute) => minute === 0 || minute === 1) },
    'two runs fail': { run: these([0, 7], FAILS_AT_ONCE) },
  },
  'Three runs fail within ten minutes': {
    'in a row': { run: these([0, 1, 2], FAILS_AT_ONCE) },
    slowly: { run: these([0, 4, 8], FULL_FAILS_SLOWLY) },
    'of both kinds': { run: these([1, 4, 9], FAILS_AT_ONCE) },
  },
  'A brown-out: one run in ten succeeds': {
    'the others fail at once': brownOut(10, () => FAILS_AT_ONCE),
    'the others fail slowly': brownOut(10, slowly),
    'one in seven': brownOut(7, () => FAILS_AT_ONCE),
    'one in twelve': brownOut(12, () => FAILS_AT_ONCE),
  },
  'One check of the front door fails': {
    once: { check: (minute) => failsIf(minute === 0) },
    'every half hour': { check: (minute) => failsIf(minute >= 0 && minute % 30 === 0), minutes: 180 },
  },
  'Two of six checks of the front door fail': {
    'in a row': { check: (minute) => failsIf(minute === 0 || minute === 3) },
    'for half an hour': { check: failingChecks },
    'two of four': { check: (minute) => failsIf(minute >= 0 && minute < 120 && minute % 12 < 6), minutes: 240 },
    'each other one': { check: (minute) => failsIf(minute >= 0 && minute < 120 && minute % 6 === 0), minutes: 240 },
  },
  'The list fails, with few callers': {
    'three requests a minute': { requestsPerMinute: () => 3, errorShare: during(1, 0), check: failingChecks },
  },
  'The search fails, with many callers': {
    'four requests in a hundred': { requestsPerMinute: () => 600, errorShare: during(0.04, 0) },
  },
  'The web ACL blocks everybody': {
    'for 30 minutes': { requestsPerMinute: during(0, 60), check: failingChecks },
  },
  'A flood of 30 minutes': {
    'of 50 requests a second': { requestsPerMinute: during(3_000, 60), check: floodedCheck(OUTAGE_MINUTES) },
  },
  'A flood of two hours': {
    'of 50 requests a second': {
      requestsPerMinute: (minute) => (minute >= 0 && minute < 120 ? 3_000 : 10),
      check: floodedCheck(120),
      minutes: 30 * HOUR,
    },
  },
  'The daily quota is used up': {
    // 432,000 requests in 15 hours from 00:00 UTC on.
    'by eight requests a second': {
      requestsPerMinute: (minute) => (minute >= 0 && minute < 18 * HOUR ? 480 : 10),
      check: (minute) => failsIf(minute >= 15 * HOUR && minute < DAY),
      minutes: 2 * DAY,
    },
  },
  'Two partners use their whole rate': {
    'for 30 minutes': { requestsPerMinute: during(2 * 600, 60) },
  },
  'A crowd with charts': {
    'that leaves no room for a third of them': { requestsPerMinute: () => 600, busyShare: during(0.3, 0) },
    'of few callers': { requestsPerMinute: () => 20, busyShare: during(0.5, 0) },
  },
  'A first deployment': {
    'with an edge': firstDeployment('dev'),
    'without an edge': firstDeployment('noEdge'),
    'of production': {
      ...firstDeployment('prod'),
      archive: (minute) => (minute % DAY === 14 * HOUR ? 'succeeds' : undefined),
      minutes: 36 * HOUR,
    },
  },
  'The job of the archive fails': {
    'on one day': { variant: 'prod', archive: archiveRun, createdAt: -DAY, minutes: DAY + 2 * HOUR },
  },
};

describe('an outage rings the alarms that the runbook names, once each', () => {
  const rows = Object.entries(OUTAGES).flatMap(([outage, kinds]) =>
    Object.entries(kinds).flatMap(([kind, scenario]) =>
      // Hours do not depend on seconds.
      Object.entries(DELAYS)
        .slice((scenario.minutes ?? 0) > 12 * HOUR ? -1 : 0)
        .map(([name, delay]) => ({ outage, kind, name, delay, scenario })),
    ),
  );

  it('and the runbook has a row for each outage', () => {
    expect([...RINGS.keys()].toSorted()).toEqual(Object.keys(OUTAGES).toSorted());
  });

  const LOCK_OUTS = [
    'All upstreams fail',
    'The schedule stops',
    'The list fails, with few callers',
    'The web ACL blocks everybody',
    'A flood of 30 minutes',
  ];
  const lockOuts = rows.filter(({ outage }) => LOCK_OUTS.includes(outage));

  it.each(lockOuts)('within ten minutes: $outage, $kind, $name', ({ delay, scenario }) => {
    const points = record(scenario, delay);
    for (const missing of MISSING_VALUES) {
      const cloudWatch = new CloudWatch('dev', points, missing);
      expect({ missing, late: cloudWatch.firstAlarm(WARM_UP, OUTAGE_MINUTES) > 10 }).toEqual({ missing, late: false });
    }
  });

  it.each(rows)('$outage, $kind, $name', ({ outage, delay, scenario }) => {
    const { variant = 'dev', createdAt = WARM_UP, minutes = 90 } = scenario;
    const points = record(scenario, delay);
    for (const missing of MISSING_VALUES) {
      const states = new CloudWatch(variant, points, missing).play(createdAt, minutes);
      const expected = Object.keys(states).map((id) => [id, RINGS.get(outage)?.includes(id) ? ['ALARM', 'OK'] : []]);
      expect({ missing, states }).toEqual({ missing, states: Object.fromEntries(expected) });
    }
  });
});
