import { callsUpstream, ENVIRONMENT, type FunctionName } from '../../lambda/contract/environment.ts';
import { ROUTES_BY_FUNCTION } from '../../lambda/contract/routes.ts';
import { UPSTREAM_NAMES } from '../../lambda/contract/upstreams.ts';

/** A saved query of Logs Insights as data: what the runbook tells to look at. */
export interface SavedQuery {
  /** Its name, after the stack's. */
  readonly id: string;
  /** Whose log groups it reads. */
  readonly of: 'refresher' | 'readers' | 'upstream callers' | 'watch' | 'access log';
  readonly lines: readonly string[];
}

/** Messages and keys are those of the functions' loggers; a test finds each of them in the code. */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  {
    id: 'refresh-runs',
    of: 'refresher',
    lines: [
      'filter message in ["Snapshot published", "Snapshot superseded by a newer one", "Too few markets to believe in: not published", "Refresh failed"]',
      'display @timestamp, message, durationMs, publishMs, markets, skipped, withOneDayChange, cataloguePriced, catalogueAgeSeconds, bytes, error.message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'refresh-problems',
    of: 'refresher',
    lines: [
      'filter level in ["WARN", "ERROR"] or @message like /Task timed out|Runtime exited|out of memory/',
      // What Lambda itself writes has no `message`, and nobody promises that a comparison with nothing holds.
      'filter message != "Upstream call failed" or not ispresent(message)',
      'display @timestamp, level, message, error.name, error.message, error.cause.message, durationMs, skewMs, @message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'markets-skipped',
    of: 'refresher',
    lines: [
      'filter message in ["Snapshot published", "Snapshot superseded by a newer one", "Too few markets to believe in: not published"]',
      'display @timestamp, markets, skipped, duplicates, inactive, pages, historyBatches, historyBatchesFailed, midpointBatchesFailed, withOneDayChange, @message',
      'sort @timestamp desc',
      'limit 100',
    ],
  },
  {
    id: 'upstream-failures-by-kind',
    of: 'upstream callers',
    lines: [
      'filter message = "Upstream call failed"',
      'fields bin(5m) as time',
      'stats count(*) as failures by time, service, upstream, route, failure, status',
      'sort time desc, failures desc',
      'limit 500',
    ],
  },
  {
    id: 'upstream-failures',
    of: 'upstream callers',
    lines: [
      'filter message = "Upstream call failed"',
      'display @timestamp, service, upstream, route, failure, status, reason, excerpt',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'upstream-changes',
    of: 'refresher',
    lines: [
      'filter message = "The upstream has changed"',
      'display @timestamp, what, before, after',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'error-responses',
    of: 'readers',
    lines: [
      'filter message in ["Unexpected error", "Responded with an error", "The newest snapshot could not be loaded", "A snapshot of a link could not be loaded", "The price memory cannot be read"] or @message like /Task timed out|Runtime exited|out of memory/',
      'display @timestamp, service, tool, message, code, ageSeconds, cause, error.name, error.message, requestId, @message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'front-door-failures',
    of: 'watch',
    lines: [
      'filter message = "The front door does not respond as it should"',
      'display @timestamp, failure, status, reason, excerpt',
      'sort @timestamp desc',
      'limit 100',
    ],
  },
  {
    id: 'slow-functions',
    of: 'readers',
    lines: [
      'filter @type = "REPORT"',
      'fields bin(5m) as time',
      'stats count(*) as calls, pct(@duration, 50) as p50, pct(@duration, 99) as p99, max(@duration) as longest, count(@initDuration) as coldStarts, max(@initDuration) as longestInit, max(@maxMemoryUsed) / 1000000 as memoryMb by time, @log',
      'sort time desc',
      'limit 500',
    ],
  },
  {
    id: 'limited-callers',
    of: 'readers',
    lines: [
      'filter message = "Refused by the per-IP limit"',
      'stats count(*) as refusals, min(@timestamp) as first, max(@timestamp) as last by caller',
      'sort refusals desc',
      'limit 50',
    ],
  },
  {
    id: 'uncounted-requests',
    of: 'readers',
    lines: [
      'filter message = "The per-IP limit is unavailable: requests are served uncounted"',
      'display @timestamp, service, error.name, error.message',
      'sort @timestamp desc',
      'limit 100',
    ],
  },
  {
    id: 'one-request',
    of: 'access log',
    lines: [
      'filter requestId = "the X-Request-Id of the response"',
      'display @timestamp, requestId, status, gatewayAnswer, method, route, functionStatus, latencyMs, functionMs, apiKeyId, traceId',
      'sort @timestamp desc',
      'limit 10',
    ],
  },
  {
    id: 'gateway-refusals',
    of: 'access log',
    lines: [
      'filter gatewayAnswer != "-" and gatewayAnswer != ""',
      'fields bin(5m) as time',
      'stats count(*) as requests by time, gatewayAnswer, status, route, apiKeyId',
      'sort time desc, requests desc',
      'limit 500',
    ],
  },
  {
    id: 'requests-by-route',
    of: 'access log',
    lines: [
      'stats count(*) as requests, pct(latencyMs, 50) as p50, pct(latencyMs, 99) as p99, sum(responseBytes) / 1000000 as megabytes by route, method, status, apiKeyId',
      'sort requests desc',
      'limit 200',
    ],
  },
];

const NAMES = Object.keys(ENVIRONMENT) as FunctionName[];
const FUNCTIONS: Readonly<Record<SavedQuery['of'], readonly FunctionName[]>> = {
  refresher: ['refresh-snapshot'],
  readers: [...ROUTES_BY_FUNCTION.keys()],
  'upstream callers': NAMES.filter((name) =>
    UPSTREAM_NAMES.some((upstream) => callsUpstream(name, upstream)),
  ),
  watch: ['watch-front-door'],
  'access log': [],
};

/** The functions whose logs such a query reads. */
export function functionsOf(of: SavedQuery['of']): readonly FunctionName[] {
  return FUNCTIONS[of];
}
