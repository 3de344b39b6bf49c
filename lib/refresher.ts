/**
 * The refresher: the function that reads Polymarket each minute and publishes a snapshot of the
 * markets.
 */
import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  REFRESH_INTERVAL_SECONDS,
  RUN_INTERVAL_SECONDS,
} from '../lambda/core/contract/constants.ts';
import type { StageConfig } from './config/stage-config.ts';
import { MAX_EVENT_AGE_SECONDS, runMinutes, Schedules } from './schedules.ts';
import { ServiceFunction } from './service-function.ts';
import type { SnapshotTable } from './tables.ts';

interface RefresherProps {
  readonly stage: StageConfig;
  readonly snapshots: SnapshotTable;
}

/** A full run ends at least this long before the next full run begins. */
const GAP_SECONDS = 2;
/**
 * In markets. Up to this size, 512 MB are enough. More would only cost more: AWS charges memory ×
 * time, and a run mostly waits for upstreams.
 */
const SMALL_SNAPSHOT = 4_000;

/**
 * The function that publishes snapshots, and its schedules. A failed run is not retried, because
 * the next run repeats all its work.
 */
export class Refresher extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stage, snapshots }: RefresherProps) {
    super(scope, id);
    const { table } = snapshots;
    const urls = stage.upstreamUrls;
    this.function = new ServiceFunction(this, 'Function', {
      handler: 'refresh-snapshot',
      description: 'Reads the upstreams and publishes snapshots of the markets',
      memoryMb: stage.maxMarkets <= SMALL_SNAPSHOT ? 512 : 1_024,
      timeout: Duration.seconds(REFRESH_INTERVAL_SECONDS - GAP_SECONDS),
      stage,
      environment: {
        SNAPSHOT_TABLE: table.tableName,
        GAMMA_URL: urls.gamma,
        CLOB_URL: urls.clob,
        DATA_URL: urls.data,
        MAX_MARKETS: String(stage.maxMarkets),
        ARCHIVE: stage.archive === false ? 'off' : 'on',
      },
      access: [
        {
          actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
          resource: table.tableArn,
        },
      ],
    });
    this.function.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.seconds(MAX_EVENT_AGE_SECONDS),
    });
    const minutes = runMinutes(REFRESH_INTERVAL_SECONDS, RUN_INTERVAL_SECONDS);
    new Schedules(this, 'Schedules', this.function, [
      { id: 'Full', cron: minutes.full, input: { kind: 'full' } },
      { id: 'Prices', cron: minutes.prices, input: { kind: 'prices' } },
    ]);
  }
}
