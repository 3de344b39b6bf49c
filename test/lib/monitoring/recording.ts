import { functionId } from '../templates.ts';
import { VARIANTS, type Variant } from '../variants.ts';
import type { Point } from './cloudwatch.ts';

export interface Run {
  readonly failed?: boolean;
  /** A run that fails can publish. @default whether it succeeds */
  readonly publishes?: boolean;
  /** Whether it publishes more than 5 % of the prices without CLOB. */
  readonly degraded?: boolean;
  /** From the beginning of the run to its end. */
  readonly seconds: number;
}

export type Check = 'succeeds' | 'fails';

/** Minutes count from the beginning of the outage on. */
export interface Outage {
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

export const isFull = (minute: number) => minute % 2 === 0;
export const healthy = (minute: number) => (isFull(minute) ? FULL : PRICES);

interface Delay {
  /** Seconds until CloudWatch has a value. */
  readonly lag: number;
  /** The second of its minute in which the scheduler begins a run. */
  readonly second: (minute: number) => number;
}

export const DELAYS: Readonly<Record<string, Delay>> = {
  'metrics after 30 s': { lag: 30, second: () => 1 },
  'metrics after 90 s, the scheduler at any second': { lag: 90, second: (minute) => Math.abs(minute * 37) % 60 },
  'metrics after 120 s, the scheduler 59 s late': { lag: 120, second: () => 59 },
};

export const WARM_UP = -60;
const CHARTS = functionId('get-prices-history');

/** The metrics of the refresher, of the check, of the archive and of the API. */
export function record(outage: Outage, { lag, second }: Delay): Point[] {
  const { variant = 'dev', createdAt, minutes = 90 } = outage;
  const { run = healthy, check = () => 'succeeds', archive = () => undefined } = outage;
  const { requestsPerMinute = () => 60, errorShare = () => 0, busyShare = () => 0 } = outage;
  const stage = VARIANTS[variant].stage;
  const api = `ApiName=market-data-proxy-${stage} Stage=ReadApiDeploymentStage${stage}`;
  const points: Point[] = [];
  const add = (metric: string, at: number, value: number, end = at): void => {
    points.push({ metric, at, value, visibleAt: end + lag });
  };
  const addOwn = (metric: string, at: number, value: number) =>
    add(`MarketDataProxy/${stage} ${metric} service=market-data-proxy`, at, value);
  const addCall = (name: string, at: number, failed: boolean, seconds: number): void => {
    add(`AWS/Lambda Invocations FunctionName=${name}`, at, 1, at + seconds);
    add(`AWS/Lambda Errors FunctionName=${name}`, at, failed ? 1 : 0, at + seconds);
  };
  const published: number[] = [];
  const ageAt = (time: number) => time - (published.findLast((at) => at <= time) ?? Number.NEGATIVE_INFINITY);
  const ends: number[] = [];
  for (let minute = createdAt === undefined ? WARM_UP - 15 : createdAt + 1; minute < minutes; minute += 1) {
    const start = minute * 60 + second(minute);
    const one = run(minute, ageAt(start));
    if (one) {
      const end = start + one.seconds;
      addCall('RefresherFunction', start, one.failed === true, one.seconds);
      if (one.publishes ?? !one.failed) published.push(end);
      if (one.degraded) addOwn('DegradedSnapshots', end, 1);
      published.sort((a, b) => a - b);
      ends.push(end);
    }
    if (Math.abs(minute) % 3 === 0) {
      const failed = check(minute) === 'fails';
      addCall('FrontDoorWatchFunction', start, failed, failed ? 50 : 1);
    }
    const job = archive(minute);
    if (job) addCall('ArchiverFunction', start, job === 'fails', 50);
    const count = requestsPerMinute(minute);
    if (count === 0) continue;
    const at = minute * 60;
    const isStale = ageAt(at + 30) > 150;
    const charts = count / 2;
    const busy = charts * busyShare(minute);
    add(`AWS/ApiGateway Count ${api}`, at, count);
    add(`AWS/Lambda Invocations FunctionName=${CHARTS}`, at, charts);
    if (busy > 0) addOwn('UpstreamBusy', at, busy);
    add(`AWS/ApiGateway 5XXError ${api}`, at, isStale ? count : count * errorShare(minute) + busy);
    add(`AWS/ApiGateway Latency ${api}`, at, 100);
  }
  // A run reports the age at its end, even when it failed.
  for (const end of ends) if (Number.isFinite(ageAt(end))) addOwn('SnapshotAge', end, ageAt(end));
  return points;
}
