/** The log queries that an operator opens in the CloudWatch console, as docs/runbook.md says. */
import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { CRASH_LINES } from './crashes.ts';
import type { Monitored } from './metrics.ts';

/** A query of CloudWatch Logs Insights. Each of its lines is a command. */
interface SavedQuery {
  readonly id: string;
  /** `readers`: the functions that answer callers, and the check. `functions`: all functions. */
  readonly logSource: 'refresher' | 'readers' | 'functions' | 'access log';
  readonly lines: readonly string[];
}

/**
 * A condition for lines of the platform about a crash. Before Lambda ends a function, Node.js
 * writes "JavaScript heap out of memory".
 */
const PLATFORM_ERRORS = `@message like /${CRASH_LINES}|heap out of memory/`;

/** The queries that docs/runbook.md names. The fields are those of the log lines. */
const QUERIES: readonly SavedQuery[] = [
  {
    id: 'refresh-runs',
    logSource: 'refresher',
    lines: [
      'filter ispresent(kind)',
      'display @timestamp, message, kind, durationMs, afterMs, markets, skipped, withOneDayChange, bySource.carried, bySource.catalogue, bytes, error.message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'refresh-problems',
    logSource: 'refresher',
    lines: [
      `filter level in ["WARN", "ERROR"] or ${PLATFORM_ERRORS}`,
      'display @timestamp, level, message, error.name, error.message, @message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'upstream-failures',
    logSource: 'functions',
    lines: [
      'filter message = "Upstream call failed"',
      'stats count(*) as failures by bin(5m), service, upstream, route, failure, status',
      'limit 500',
    ],
  },
  {
    id: 'error-responses',
    logSource: 'readers',
    lines: [
      `filter level in ["WARN", "ERROR"] or ${PLATFORM_ERRORS}`,
      'display @timestamp, service, level, message, code, reason, cause, path, status, excerpt, error.message, requestId, @message, @log',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'rejected-clients',
    logSource: 'readers',
    lines: [
      'filter message = "Refused by the rate limit"',
      'stats count(*) as rejections, earliest(@timestamp) as first, latest(@timestamp) as last by caller',
      'sort rejections desc',
      'limit 200',
    ],
  },
  {
    id: 'requests',
    logSource: 'access log',
    lines: [
      'stats count(*) as requests, pct(latencyMs, 99) as p99, sum(responseBytes) / 1000000 as megabytes by route, method, status, gatewayError, apiKeyId',
      'sort requests desc',
      'limit 200',
    ],
  },
];

/**
 * Saves the queries for CloudWatch Logs Insights, except those without a log group in this stage.
 */
export function addSavedQueries(scope: Construct, monitored: Monitored): void {
  for (const query of QUERIES) {
    const logGroupNames = logGroupsOf(monitored, query.logSource);
    if (logGroupNames.length === 0) continue;
    new CfnQueryDefinition(scope, query.id, {
      name: `${Stack.of(scope).stackName}/${query.id}`,
      queryString: query.lines.join('\n| '),
      logGroupNames: [...logGroupNames],
    });
  }
}

/** The names of the log groups that a query reads; none if the stage has no access log. */
function logGroupsOf(
  { refresher, archiver, check, functions, api }: Monitored,
  source: SavedQuery['logSource'],
): readonly string[] {
  const readers = [...functions.values(), check];
  const jobs = [refresher, ...(archiver ? [archiver] : [])];
  const sources = {
    refresher: [refresher],
    readers,
    functions: [...jobs, ...readers],
    'access log': api.accessLog ? [api.accessLog] : [],
  };
  return sources[source].map(({ logGroup }) => logGroup.logGroupName);
}
