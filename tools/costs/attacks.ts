import { readFileSync } from 'node:fs';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { PRICES } from '../../lib/prices.ts';
import type { Deployed } from './deployed.ts';
import type { Fuses } from './fuses.ts';
import type { Measured } from './measured.ts';
import { ASSUMED, billedMs } from './model.ts';

/** What no row of the table may exceed, in USD an hour, CloudFront's charge for requests apart. */
export const BOUNDS = { dev: 10, prod: 25 } as const;

/** What each attack sends. */
export const ATTACK_RATE = 3_000;

const HOUR = 3_600;
const SENT = ATTACK_RATE * HOUR;
const GB = 1_000_000_000;
const DAY_HOURS = 24;
/** The web ACL's rate rules lag by so much (AWS: up to 30 s); what comes in meanwhile passes. */
const WAF_LAG_SECONDS = 30;
/** 2,000 simulated markets in one response, not compressed: nothing bounded it before. */
const WHOLE_LIST_BYTES = 851_576;
/** The API document as it is served: the file without its blanks, not compressed. */
const DOCUMENT_BYTES = JSON.stringify(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).length;
/** Body of a refusal or of a small response, in bytes. */
const SMALL_BODY = 300;
/** Addresses of an IPv6 /48 that the per-IP limit tells apart: each /64. */
const NETWORKS_OF_48 = 65_536;

/** A kind of flood at 3,000 requests a second. */
export interface Attack {
  readonly name: string;
  /** Requests that the functions serve with a full page of the list, of those that reach them in the hour. */
  served(reached: number, fuses: Fuses): number;
  /** Whether rate rules of a web ACL see it: each address, or network, sends more than they allow. */
  readonly seenByWaf: boolean;
  readonly kind: 'data' | 'preflight' | 'free';
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'one address, whole lists',
    served: (reached) => Math.min(reached, REQUESTS_PER_MINUTE * 60),
    seenByWaf: true,
    kind: 'data',
  },
  { name: 'many addresses, whole lists', served: (reached) => reached, seenByWaf: false, kind: 'data' },
  {
    // 65,536 networks may send 65,536 requests a second within their own limits: the limit of the /48 as a whole refuses
    // what is beyond it.
    name: 'a /48 of IPv6 addresses, whole lists',
    served: (reached, { networkRequestsPerMinute }) =>
      Math.min(reached, 60 * Math.min(networkRequestsPerMinute, NETWORKS_OF_48 * REQUESTS_PER_MINUTE)),
    seenByWaf: false,
    kind: 'data',
  },
  { name: 'preflights (OPTIONS)', served: () => 0, seenByWaf: false, kind: 'preflight' },
  { name: 'free routes (status, API document)', served: () => 0, seenByWaf: false, kind: 'free' },
];

/** An hour of an attack, in USD. */
export interface AttackHour {
  /** CloudFront's charge for taking requests in: nothing that a stack does changes it. */
  readonly edge: number;
  /** Everything else. */
  readonly rest: number;
}

/** What an hour of an attack costs, beyond what a quiet hour costs. */
export function attackHour(attack: Attack, fuses: Fuses, deployed: Deployed, measured: Measured): AttackHour {
  const reached = reachedIn(attack, fuses);
  const blocked = attack.seenByWaf && fuses.webAcl ? SENT - burstAndLag(fuses) : 0;
  const refused = Math.max(0, SENT - blocked - reached);
  return {
    edge: SENT * PRICES.edgeRequest.usd,
    rest:
      (fuses.webAcl ? SENT * PRICES.webAclRequest.usd : 0) +
      (fuses.edgeFunction ? SENT * PRICES.edgeFunction.usd : 0) +
      reachedUsd(attack, reached, deployed, measured, fuses) +
      bytesUsd((blocked + refused) * (ASSUMED.headerBytes + SMALL_BODY)) +
      // API Gateway does not bill what it refuses, but its access log has a line of it.
      (deployed.accessLog ? logUsd(refused * ASSUMED.accessLogBytes) : 0),
  };
}

/** What the quota of a day costs when all of it is spent on full pages, without CloudFront's charge for requests. */
export function quotaDay(fuses: Fuses, deployed: Deployed, measured: Measured): number {
  const full = ATTACKS[1] as Attack;
  return reachedUsd(full, fuses.requestsPerDay, deployed, measured, fuses);
}

/** Hours of such a flood until the quota of the day is used up; more than a day: never. */
export function quotaHours({ requestsPerDay, publicRate }: Fuses): number {
  return Math.min(DAY_HOURS, requestsPerDay / (Math.min(publicRate, ATTACK_RATE) * HOUR));
}

/** Requests of an hour that get as far as API Gateway's integrations: those it bills. */
function reachedIn({ kind, seenByWaf }: Attack, fuses: Fuses): number {
  const rates = { data: fuses.publicRate, preflight: fuses.preflightRate, free: fuses.freeRate };
  const rate = Math.min(ATTACK_RATE, rates[kind]);
  const passing = rate === 0 ? 0 : Math.min(SENT, rate * HOUR + (rate < ATTACK_RATE ? fuses.burst : 0));
  const seen = seenByWaf && fuses.webAcl ? Math.min(passing, burstAndLag(fuses)) : passing;
  return kind === 'preflight' ? seen : Math.min(seen, fuses.requestsPerDay);
}

/** What one address gets through before the web ACL has noticed, and what it is allowed afterwards. */
function burstAndLag({ publicRate, burst }: Fuses): number {
  return burst + Math.min(ATTACK_RATE, publicRate) * WAF_LAG_SECONDS + REQUESTS_PER_MINUTE * 60;
}

function reachedUsd(
  attack: Attack,
  reached: number,
  deployed: Deployed,
  measured: Measured,
  fuses: Fuses,
): number {
  const gateway = reached * PRICES.apiRequest.usd;
  const accessLog = deployed.accessLog ? logUsd(reached * ASSUMED.accessLogBytes) : 0;
  const served = attack.served(reached, fuses);
  const small = bytesUsd((reached - served) * (ASSUMED.headerBytes + SMALL_BODY));
  const traces = fuses.tracedShare * reached * PRICES.trace.usd;
  if (attack.kind === 'preflight') return gateway + accessLog + small + traces;
  const { writeUnits, logBytes } = measured.requests['list-markets'];
  const memoryMb = deployed.memoryMb['list-markets'];
  const gbSeconds = (memoryMb / 1_024) * (billedMs('list-markets', memoryMb, measured) / 1_000);
  return (
    gateway +
    accessLog +
    small +
    traces +
    reached * (PRICES.lambdaRequest.usd + gbSeconds * PRICES.lambdaGbSecond.usd) +
    (attack.kind === 'data' ? reached * writeUnits * PRICES.dynamoDbWrite.usd : 0) +
    logUsd(reached * (logBytes + ASSUMED.platformLogBytes)) +
    bytesUsd(served * (fuses.bodyBytes + ASSUMED.headerBytes)) +
    // Large bodies are bounded by themselves, whoever gets them.
    (served > 0 ? bytesUsd(fuses.largeBytes) : 0) +
    (attack.kind === 'free' ? bytesUsd(fuses.documentRate * HOUR * DOCUMENT_BYTES) : 0)
  );
}

function bytesUsd(bytes: number): number {
  return (bytes / GB) * PRICES.edgeGb.usd;
}

/** An hour of a body that the edge sends by itself, in USD. */
export function edgeHour(bytes: number): number {
  return bytesUsd(SENT * (bytes + ASSUMED.headerBytes));
}

function logUsd(bytes: number): number {
  return (bytes / GB) * PRICES.logGb.usd;
}

/** Both stages as they were: X-Ray's own sampling, plans as large as no caller exhausts, no quota. */
export const BEFORE: Readonly<Record<'dev' | 'prod', Fuses>> = {
  dev: before(3_000, false),
  prod: before(1_000, true),
};

function before(publicRate: number, webAcl: boolean): Fuses {
  return {
    publicRate,
    burst: Math.min(5_000, 2 * publicRate),
    requestsPerDay: Number.POSITIVE_INFINITY,
    preflightRate: 10_000,
    freeRate: publicRate,
    webAcl,
    edgeFunction: false,
    tracedShare: 0.05,
    networkRequestsPerMinute: Number.POSITIVE_INFINITY,
    bodyBytes: WHOLE_LIST_BYTES,
    largeBytes: 0,
    documentRate: publicRate,
  };
}
