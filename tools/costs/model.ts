import {
  BASE_SECONDS,
  BASE_VERIFIED_SECONDS,
  PRICES_AFTER_SECONDS,
} from '../../lambda/contract/constants.ts';
import { METRICS, type MetricName } from '../../lambda/contract/metrics.ts';
import { functionOf, ROUTES } from '../../lambda/contract/routes.ts';
import { priceMinutes } from '../../lib/data/cadence.ts';
import { FREE_EACH_MONTH, PRICES, type PriceName } from '../../lib/prices.ts';
import { TRACED_SHARE } from '../../lib/trace-sampling.ts';
import type { Deployed } from './deployed.ts';
import { MEASURED_ROUTES, type Measured, type MeasuredRoute, REQUEST_MIX } from './measured.ts';

/** What is assumed rather than measured; the document says each of them. */
export const ASSUMED = {
  mix: REQUEST_MIX,
  /** Lambda gives a function a share of a core by its memory: a whole one at this size. */
  memoryOfOneCore: 1_769,
  /** Of a live response's time, what is not waiting for the upstream. */
  liveOwnMs: 5,
  /** A round trip to DynamoDB, which the embedded one does not take. */
  tableMs: 5,
  /** CPU time of a run on a whole core, of a full one as `npm run bench -- refresh` prints it; all else is waiting. */
  fullRunOwnMs: 1_000,
  priceRunOwnMs: 250,
  /** Headers of a response to a viewer. */
  headerBytes: 700,
  /** Lambda's own lines about an invocation, and X-Ray's. */
  platformLogBytes: 450,
  accessLogBytes: 450,
  /** A look through the front door, in each of two functions: the watch waits while the status is read. */
  lookMs: 500,
  lookReadUnits: 2,
  /** Containers of a market function that are awake when there is any traffic, a month round. */
  containers: 2,
} as const;

const DAYS = 30;
const SECONDS = DAYS * 86_400;
const GB = 1_000_000_000;
/** Bases that are written in a month, where the markets do not change by a tenth before. */
const BASES = SECONDS / BASE_SECONDS;
/** Part of a month's bill. */
export interface Usage {
  readonly row: string;
  readonly price: PriceName;
  readonly units: number;
}

/** What a stage uses in a month of 30 days. */
export function monthOf(deployed: Deployed, measured: Measured, requests: number): Usage[] {
  return [
    ...fixed(deployed),
    ...refresher(deployed, measured),
    ...watch(deployed),
    ...readers(deployed, measured, requests),
  ];
}

/** @returns USD by row, and the sums with and without what AWS gives for nothing */
export function billOf(usage: readonly Usage[]) {
  const rows = new Map<string, number>();
  const units = new Map<PriceName, number>();
  for (const { row, price, units: used } of usage) {
    rows.set(row, (rows.get(row) ?? 0) + used * PRICES[price].usd);
    units.set(price, (units.get(price) ?? 0) + used);
  }
  const list = [...rows.values()].reduce((sum, usd) => sum + usd, 0);
  const afterFree = [...units].reduce(
    (sum, [price, used]) => sum + Math.max(0, used - (FREE_EACH_MONTH[price] ?? 0)) * PRICES[price].usd,
    0,
  );
  return { rows, list, afterFree };
}

/** Metrics of CloudWatch in a month: when idle, and if all that can happen happened in every hour. */
export function metricCounts() {
  const names = Object.keys(METRICS) as MetricName[];
  const idle = names.filter((name) => METRICS[name].kept === 'metric').length;
  const shared = names.filter((name) => METRICS[name].kept === 'shared').length;
  // The access log's own is the last.
  return { idle, most: idle + shared + 1 };
}

function fixed({ alarmMetrics, dashboards, secrets, webAcls, webAclRules }: Deployed): Usage[] {
  return [
    { row: 'Alarms, dashboard', price: 'alarmMetric', units: alarmMetrics },
    { row: 'Alarms, dashboard', price: 'dashboard', units: dashboards },
    { row: 'Metrics of our own', price: 'metric', units: metricCounts().idle },
    { row: 'Secret, schedule', price: 'secret', units: secrets },
    { row: 'WAF', price: 'webAcl', units: webAcls },
    { row: 'WAF', price: 'webAclRule', units: webAclRules },
  ];
}

/**
 * Time that Lambda bills for a run, full and price runs on the average. A price run waits for its moment and then does what a
 * full run does from the prices on.
 */
export function scheduledRunSeconds(
  { refreshMinutes, memoryMb }: Pick<Deployed, 'refreshMinutes' | 'memoryMb'>,
  { refresh }: Measured,
): number {
  const slower = Math.max(0, ASSUMED.memoryOfOneCore / memoryMb['refresh-snapshot'] - 1);
  const full = refresh.runMs + ASSUMED.fullRunOwnMs * slower;
  const prices = PRICES_AFTER_SECONDS * 1_000 + refresh.publishMs + ASSUMED.priceRunOwnMs * slower;
  const fullShare = priceMinutes(refreshMinutes) / refreshMinutes;
  return (fullShare * full + (1 - fullShare) * prices) / 1_000;
}

/** What the refresher costs a month in USD at list price: its function, and what it writes. */
export function refresherCost(deployed: Deployed, measured: Measured): number {
  return refresher(deployed, measured)
    .filter(({ price }) => ['lambdaRequest', 'lambdaGbSecond', 'dynamoDbWrite'].includes(price))
    .reduce((sum, { price, units }) => sum + units * PRICES[price].usd, 0);
}

function refresher(deployed: Deployed, measured: Measured): Usage[] {
  const runs = SECONDS / (priceMinutes(deployed.refreshMinutes) * 60);
  const { refresh } = measured;
  const gbSeconds = (deployed.memoryMb['refresh-snapshot'] / 1_024) * scheduledRunSeconds(deployed, measured);
  return [
    { row: 'Secret, schedule', price: 'schedule', units: runs },
    { row: 'Refresher', price: 'lambdaRequest', units: runs },
    { row: 'Refresher', price: 'lambdaGbSecond', units: runs * gbSeconds },
    { row: 'DynamoDB: snapshots', price: 'dynamoDbWrite', units: runs * refresh.writeUnits },
    { row: 'DynamoDB: snapshots', price: 'dynamoDbRead', units: runs * refresh.readUnits },
    { row: 'DynamoDB: snapshots', price: 'dynamoDbWrite', units: BASES * refresh.baseWriteUnits },
    {
      row: 'DynamoDB: snapshots',
      price: 'dynamoDbRead',
      units: Math.min(runs, SECONDS / BASE_VERIFIED_SECONDS) * measured.load.baseReadUnits,
    },
    { row: 'Logs', price: 'logGb', units: (runs * (refresh.logBytes + ASSUMED.platformLogBytes)) / GB },
    { row: 'Traces', price: 'trace', units: runs * TRACED_SHARE },
  ];
}

/** The watch of the front door: a caller every few minutes, and what it asks for. */
function watch({ looks, edgeFunction, memoryMb }: Deployed): Usage[] {
  if (looks === 0) return [];
  const row = 'Watch of the front door';
  const bothMb = memoryMb['watch-front-door'] + memoryMb['get-status'];
  return [
    { row, price: 'schedule', units: looks },
    { row, price: 'lambdaRequest', units: 2 * looks },
    { row, price: 'lambdaGbSecond', units: (looks * bothMb * ASSUMED.lookMs) / 1_024 / 1_000 },
    { row, price: 'edgeRequest', units: looks },
    { row, price: 'edgeFunction', units: edgeFunction ? looks : 0 },
    { row, price: 'apiRequest', units: looks },
    { row, price: 'dynamoDbRead', units: looks * ASSUMED.lookReadUnits },
    { row, price: 'logGb', units: (2 * looks * ASSUMED.platformLogBytes) / GB },
  ];
}

/** Time that Lambda bills for a request. */
export function billedMs(route: MeasuredRoute, memoryMb: number, { requests }: Measured): number {
  const { functionMs } = requests[route];
  const own = ROUTES[route].source === 'clob' ? ASSUMED.liveOwnMs : functionMs;
  const slowdown = ASSUMED.memoryOfOneCore / memoryMb;
  return Math.max(functionMs - own, ASSUMED.tableMs) + own * slowdown;
}

function readers(deployed: Deployed, measured: Measured, requests: number): Usage[] {
  if (requests === 0) return [];
  const each = MEASURED_ROUTES.flatMap((route): Usage[] => {
    const count = requests * ASSUMED.mix[route];
    const { responseBytes, writeUnits, logBytes } = measured.requests[route];
    const memoryMb = deployed.memoryMb[route];
    const gbSeconds = (memoryMb / 1_024) * (billedMs(route, memoryMb, measured) / 1_000);
    const ownLog = logBytes + ASSUMED.platformLogBytes + (deployed.accessLog ? ASSUMED.accessLogBytes : 0);
    return [
      { row: 'CloudFront', price: 'edgeRequest', units: count },
      { row: 'CloudFront', price: 'edgeFunction', units: deployed.edgeFunction ? count : 0 },
      { row: 'CloudFront', price: 'edgeGb', units: (count * (responseBytes + ASSUMED.headerBytes)) / GB },
      { row: 'API Gateway', price: 'apiRequest', units: count },
      { row: 'Functions that read', price: 'lambdaRequest', units: count },
      { row: 'Functions that read', price: 'lambdaGbSecond', units: count * gbSeconds },
      { row: 'DynamoDB: per-IP limit', price: 'dynamoDbWrite', units: count * writeUnits },
      { row: 'Logs', price: 'logGb', units: (count * ownLog) / GB },
    ];
  });
  const holding = MEASURED_ROUTES.filter((route) => ROUTES[route].source === 'snapshot').map(functionOf);
  const holders = new Set(holding).size * ASSUMED.containers;
  const loads = (SECONDS / (priceMinutes(deployed.refreshMinutes) * 60)) * holders;
  return [
    ...each,
    {
      row: 'DynamoDB: snapshots',
      price: 'dynamoDbRead',
      units: loads * measured.load.readUnits + BASES * holders * measured.load.baseReadUnits,
    },
    { row: 'Traces', price: 'trace', units: requests * TRACED_SHARE },
    { row: 'WAF', price: 'webAclRequest', units: deployed.webAcls > 0 ? requests : 0 },
  ];
}
