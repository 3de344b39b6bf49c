import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FRESH_SECONDS } from '../lambda/contract/limits.ts';
import type { RouteName } from '../lambda/contract/routes.ts';
import { ServiceFunction } from './service-function.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { Stage } from './stages.ts';

export interface ReadFunctionsProps {
  readonly stage: Stage;
  readonly snapshots: SnapshotStore;
  readonly logRetention: RetentionDays;
}

/** One function an endpoint, each with what it needs and no more. */
export class ReadFunctions extends Construct {
  readonly byRoute: Readonly<Partial<Record<RouteName, IFunction>>>;

  constructor(scope: Construct, id: string, props: ReadFunctionsProps) {
    super(scope, id);
    const { stage, snapshots, logRetention } = props;
    const reader = {
      SNAPSHOT_TABLE: snapshots.tableName,
      FRESH_SECONDS: String(Math.max(FRESH_SECONDS, stage.refreshMinutes * 60)),
      STALE_IF_ERROR_SECONDS: String(stage.staleIfErrorSeconds),
    };
    const marketReader = { ...reader, EDGE_CACHE: stage.edgeCache ? 'on' : 'off' };

    const listMarkets = new ServiceFunction(this, 'ListMarkets', {
      handler: 'list-markets',
      description: 'GET /api/markets',
      memoryMb: 1_024,
      logRetention,
      environment: marketReader,
    });
    const searchMarkets = new ServiceFunction(this, 'SearchMarkets', {
      handler: 'search-markets',
      description: 'GET /api/markets/search',
      memoryMb: 1_024,
      logRetention,
      environment: marketReader,
    });
    const getStatus = new ServiceFunction(this, 'GetStatus', {
      handler: 'get-status',
      description: 'GET /api/status',
      logRetention,
      environment: { ...reader, REFRESH_INTERVAL_SECONDS: String(stage.refreshMinutes * 60) },
    });
    const getOpenApi = new ServiceFunction(this, 'GetOpenApi', {
      handler: 'get-openapi',
      description: 'GET /openapi.json',
      logRetention,
      environment: {},
    });
    for (const reading of [listMarkets, searchMarkets, getStatus]) snapshots.grantRead(reading);
    this.byRoute = {
      'list-markets': listMarkets,
      'search-markets': searchMarkets,
      'get-status': getStatus,
      'get-openapi': getOpenApi,
    };
  }
}
