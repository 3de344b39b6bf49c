import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Monitored } from './metrics.ts';

interface SavedQuery {
  readonly id: string;
  /** Whose logs the query reads. */
  readonly of: 'refresher' | 'readers' | 'functions' | 'access log';
  readonly lines: readonly string[];
}

/** Lambda's own lines about a function that it ended. */
const PLATFORM_ERRORS = '@message like /Task timed out|Runtime exited|out of memory/';

/** docs/runbook.md names them. The fields are those of the log lines. */
const QUERIES: readonly SavedQuery[] = [
  {
    id: 'refresh-runs',
    of: 'refresher',
    lines: [
      'filter ispresent(kind)',
      'display @timestamp, message, kind, durationMs, afterMs, markets, skipped, withOneDayChange, bySource.carried, bySource.catalogue, bytes, error.message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'refresh-problems',
    of: 'refresher',
    lines: [
      `filter level in ["WARN", "ERROR"] or ${PLATFORM_ERRORS}`,
      'display @timestamp, level, message, error.name, error.message, @message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'upstream-failures',
    of: 'functions',
    lines: [
      'filter message = "Upstream call failed"',
      'stats count(*) as failures by bin(5m), service, upstream, route, failure, status',
      'limit 500',
    ],
  },
  {
    id: 'error-responses',
    of: 'readers',
    lines: [
      `filter level in ["WARN", "ERROR"] or ${PLATFORM_ERRORS}`,
      'display @timestamp, service, level, message, code, reason, cause, error.message, requestId, @message',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    id: 'rejected-clients',
    of: 'readers',
    lines: [
      'filter message = "Refused by the rate limit"',
      'stats count(*) as rejections, earliest(@timestamp) as first, latest(@timestamp) as last by caller',
      'sort rejections desc',
      'limit 200',
    ],
  },
  {
    id: 'slow-functions',
    of: 'readers',
    lines: [
      'filter @type = "REPORT"',
      'stats count(*) as calls, pct(@duration, 50) as p50, pct(@duration, 99) as p99, count(@initDuration) as coldStarts, max(@initDuration) as longestInit, max(@maxMemoryUsed) / 1000000 as memoryMb by bin(5m), @log',
      'limit 500',
    ],
  },
  {
    id: 'requests',
    of: 'access log',
    lines: [
      'stats count(*) as requests, pct(latencyMs, 99) as p99, sum(responseBytes) / 1000000 as megabytes by route, method, status, gatewayError, apiKeyId',
      'sort requests desc',
      'limit 200',
    ],
  },
];

export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    for (const query of QUERIES) {
      const logGroupNames = logGroupsOf(monitored, query.of);
      if (logGroupNames.length === 0) continue;
      new CfnQueryDefinition(this, query.id, {
        name: `${Stack.of(this).stackName}/${query.id}`,
        queryString: query.lines.join('\n| '),
        logGroupNames: [...logGroupNames],
      });
    }
  }
}

function logGroupsOf(
  { refresher, archiver, functions, edge, api }: Monitored,
  of: SavedQuery['of'],
): readonly string[] {
  if (of === 'access log') return api.accessLog ? [api.accessLog.logGroup.logGroupName] : [];
  const readers = [...functions.values(), ...(edge ? [edge.watch] : [])];
  const jobs = [refresher, ...(archiver ? [archiver] : [])];
  const all = of === 'refresher' ? [refresher] : of === 'readers' ? readers : [...jobs, ...readers];
  return all.map(({ logGroup }) => logGroup.logGroupName);
}
