import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import type { RouteName } from '../../lambda/contract/routes.ts';
import { freshSecondsOf, type Stage } from '../config/stages.ts';
import type { RateLimitStore } from '../data/rate-limit-store.ts';
import type { SnapshotStore } from '../data/snapshot-store.ts';
import { ServiceFunction } from '../service-function.ts';
import type { PublicKeys } from './public-key.ts';

export interface ReadFunctionsProps {
  readonly stage: Stage;
  readonly snapshots: SnapshotStore;
  readonly rateLimits: RateLimitStore;
  /** The front door's keys: only with one of them is CloudFront's viewer address believed. */
  readonly publicKeys: PublicKeys;
}

/** One function an endpoint, each with what it needs and no more. */
export class ReadFunctions extends Construct {
  readonly byRoute: Readonly<Record<RouteName, LambdaFunction>>;

  constructor(scope: Construct, id: string, props: ReadFunctionsProps) {
    super(scope, id);
    const { stage, snapshots, rateLimits, publicKeys } = props;
    const reader = {
      SNAPSHOT_TABLE: snapshots.tableName,
      FRESH_SECONDS: String(freshSecondsOf(stage)),
      STALE_IF_ERROR_SECONDS: String(stage.staleIfErrorSeconds),
    };
    const cacheable = { EDGE_CACHE: stage.edgeCache ? 'on' : 'off' };
    const counted = {
      RATE_LIMIT_TABLE: rateLimits.tableName,
      REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      FRONT_DOOR: stage.edge ? 'on' : 'off',
      PUBLIC_API_KEY_IDS: publicKeys.ids,
    };
    const marketReader = { ...counted, ...reader, ...cacheable };
    const clobReader = { ...counted, CLOB_URL: stage.clobUrl, ...cacheable };

    const listMarkets = new ServiceFunction(this, 'ListMarkets', {
      handler: 'list-markets',
      description: 'GET /api/markets',
      memoryMb: 1_024,
      stage,
      environment: marketReader,
    });
    const searchMarkets = new ServiceFunction(this, 'SearchMarkets', {
      handler: 'search-markets',
      description: 'GET /api/markets/search',
      memoryMb: 1_024,
      stage,
      environment: marketReader,
    });
    const getOrderBook = new ServiceFunction(this, 'GetOrderBook', {
      handler: 'get-order-book',
      description: 'GET /api/clob/order-book',
      stage,
      environment: clobReader,
    });
    const getPricesHistory = new ServiceFunction(this, 'GetPricesHistory', {
      handler: 'get-prices-history',
      description: 'GET /api/clob/prices-history',
      stage,
      environment: clobReader,
    });
    const getStatus = new ServiceFunction(this, 'GetStatus', {
      handler: 'get-status',
      description: 'GET /api/status',
      stage,
      environment: { ...reader, REFRESH_INTERVAL_SECONDS: String(stage.refreshMinutes * 60) },
    });
    const getOpenApi = new ServiceFunction(this, 'GetOpenApi', {
      handler: 'get-openapi',
      description: 'GET /openapi.json',
      stage,
      environment: {},
    });
    for (const reading of [listMarkets, searchMarkets, getStatus]) snapshots.grantRead(reading);
    for (const counting of [listMarkets, searchMarkets, getOrderBook, getPricesHistory]) {
      rateLimits.grantCount(counting);
    }
    this.byRoute = {
      'list-markets': listMarkets,
      'search-markets': searchMarkets,
      'get-order-book': getOrderBook,
      'get-prices-history': getPricesHistory,
      'get-status': getStatus,
      'get-openapi': getOpenApi,
    };
  }
}
