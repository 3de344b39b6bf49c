import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { VARIANTS, type Variant } from '../variants.ts';
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
  /** Whether it publishes more than 5 % of the prices without CLOB. */
  readonly degraded?: boolean;
  /** From the beginning of the run to its end. */
  readonly seconds: number;
}

type Check = 'succeeds' | 'fails';

/** Minutes count from the beginning of the outage on. */
interface Outage {
  /** @default dev */
  readonly variant?: Variant;
  /** CloudFormation creates the alarms; nothing has happened before. @default an hour before the outage */
  readonly createdAt?: number;
  /** Full runs begin in even minutes. Undefined: the run never begins. */
  readonly run?: (minute: number, newestAge: number) => Run | undefined;
  /** One each three minutes. */
  readonly check?: (minute: number) => Check;
  readonly requestsPerMinute?: (minute: number) => number;
  /** The share of requests that get a 5xx although the data is fresh. */
  readonly errorShare?: (minute: number) => number;
  /** The share of requests for charts that get 503 `upstream_busy`. Half of all requests are for charts. */
  readonly busyShare?: (minute: number) => number;
  /** The job of the archive: at 00:20, and its two repetitions. */
  readonly archive?: (minute: number) => Check | undefined;
  /** The last minute. */
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
/** The first run begins one minute after the alarms exist; a custom domain does not exist for the first quarter of an hour. */
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

/** How late metrics arrive, and in which second of its minute the scheduler begins a run. */
const DELAYS: Readonly<Record<string, { readonly lag: number; readonly second: (minute: number) => number }>> = {
  'metrics after 30 s': { lag: 30, second: () => 1 },
  'metrics after 90 s, the scheduler at any second': { lag: 90, second: (minute) => Math.abs(minute * 37) % 60 },
  'metrics after 120 s, the scheduler 59 s late': { lag: 120, second: () => 59 },
};

const WARM_UP = -60;
/** The function of `/api/clob/prices-history`. */
const CHARTS = 'ReadFunctionsGetPricesHistory';

/** The metrics of the refresher, of the check, of the archive and of the API. */
function record(outage: Outage, delay: string): Point[] {
  const { run = healthy, check = () => 'succeeds', archive = () => undefined, minutes = 90 } = outage;
  const { requestsPerMinute = () => 60, errorShare = () => 0, variant = 'dev', createdAt } = outage;
  const { busyShare = () => 0 } = outage;
  const { lag, second } = DELAYS[delay] ?? { lag: 0, second: () => 0 };
  const stage = VARIANTS[variant].stage;
  const points: Point[] = [];
  const add = (metric: string, at: number, value: number, end = at): void => {
    points.push({ metric, at, value, visibleAt: end + lag });
  };
  const addCall = (name: string, at: number, failed: boolean, seconds: number): void => {
    add(`AWS/Lambda Invocations FunctionName=${name}`, at, 1, at + seconds);
    add(`AWS/Lambda Errors FunctionName=${name}`, at, failed ? 1 : 0, at + seconds);
  };
  const published: number[] = [];
  const ageAt = (time: number) => time - (published.findLast((at) => at <= time) ?? Number.NEGATIVE_INFINITY);
  const ends: number[] = [];
  const first = createdAt === undefined ? WARM_UP - 15 : createdAt + 1;
  for (let minute = first; minute < minutes; minute += 1) {
    const start = minute * 60 + second(minute);
    const one = run(minute, ageAt(start));
    if (one) {
      const end = start + one.seconds;
      addCall('RefresherFunction', start, one.failed === true, one.seconds);
      if (one.publishes ?? !one.failed) published.push(end);
      if (one.degraded) add(`MarketDataProxy/${stage} DegradedSnapshots service=market-data-proxy`, end, 1);
      published.sort((a, b) => a - b);
      ends.push(end);
    }
    if (Math.abs(minute) % 3 === 0) {
      const failed = check(minute) === 'fails';
      addCall('FrontDoorWatchFunction', start, failed, failed ? 50 : 1);
    }
    const job = archive(minute);
    if (job) addCall('ArchiverFunction', start, job === 'fails', 50);
  }
  // A run reports the age at its end, also when it failed.
  for (const end of ends) {
    if (Number.isFinite(ageAt(end))) {
      add(`MarketDataProxy/${stage} SnapshotAge service=market-data-proxy`, end, ageAt(end));
    }
  }
  const api = `ApiName=market-data-proxy-${stage} Stage=ReadApiDeploymentStage${stage}`;
  for (let minute = first; minute < minutes; minute += 1) {
    const count = requestsPerMinute(minute);
    if (count === 0) continue;
    const isStale = ageAt(minute * 60 + 30) > 150;
    add(`AWS/ApiGateway Count ${api}`, minute * 60, count);
    const charts = count / 2;
    const busy = charts * busyShare(minute);
    add(`AWS/Lambda Invocations FunctionName=${CHARTS}`, minute * 60, charts);
    if (busy > 0) add(`MarketDataProxy/${stage} UpstreamBusy service=market-data-proxy`, minute * 60, busy);
    add(`AWS/ApiGateway 5XXError ${api}`, minute * 60, isStale ? count : count * errorShare(minute) + busy);
    add(`AWS/ApiGateway Latency ${api}`, minute * 60, 100);
  }
  return points;
}

describe('an outage rings the alarms that the runbook names, once each', () => {
  const rows = Object.entries(OUTAGES).flatMap(([outage, kinds]) =>
    Object.entries(kinds).flatMap(([kind, scenario]) =>
      // Hours do not depend on seconds.
      Object.keys(DELAYS)
        .slice((scenario.minutes ?? 0) > 12 * HOUR ? -1 : 0)
        .map((delay) => [outage, kind, delay, scenario] as const),
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
  const lockOuts = rows.filter(([outage]) => LOCK_OUTS.includes(outage));

  it.each(lockOuts)('within ten minutes: %s, %s, %s', (_outage, _kind, delay, scenario) => {
    const cloudWatch = new CloudWatch('dev', record(scenario, delay));
    expect(cloudWatch.firstAlarm(WARM_UP, OUTAGE_MINUTES)).toBeLessThanOrEqual(10);
  });

  it.each(rows)('%s, %s, %s', (outage, _kind, delay, scenario) => {
    const { variant = 'dev', createdAt = WARM_UP, minutes = 90 } = scenario;
    const states = new CloudWatch(variant, record(scenario, delay)).play(createdAt, minutes);
    const expected = Object.keys(states).map((id) => [id, RINGS.get(outage)?.includes(id) ? ['ALARM', 'OK'] : []]);
    expect(states).toEqual(Object.fromEntries(expected));
  });
});
