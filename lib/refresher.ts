import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import { SNAPSHOT_KEPT_SECONDS } from '../lambda/contract/limits.ts';
import { ServiceFunction } from './service-function.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { Stage } from './stages.ts';

export interface RefresherProps {
  readonly stage: Stage;
  readonly snapshots: SnapshotStore;
  readonly logRetention: RetentionDays;
}

/** A run ends this long before the next one is due. */
const GAP_SECONDS = 2;
/** An invocation that waited longer is worth nothing: the next one is due. */
const MAX_EVENT_AGE = Duration.seconds(60);

/**
 * The scheduled function that writes snapshots. Invocations that could not be delivered, and runs that failed,
 * leave a message in a queue each; neither is tried again, since the next run does it all anew.
 */
export class Refresher extends Construct {
  readonly function: IFunction;
  readonly undelivered: Queue;
  readonly failed: Queue;

  constructor(scope: Construct, id: string, props: RefresherProps) {
    super(scope, id);
    const { stage, snapshots } = props;
    const refreshSeconds = stage.refreshMinutes * 60;
    this.undelivered = this.queue('Undelivered');
    this.failed = this.queue('Failed');

    const refresh = new ServiceFunction(this, 'Function', {
      handler: 'refresh-snapshot',
      description: 'Reads the upstreams and publishes a snapshot of the markets',
      memoryMb: 1_024,
      timeout: Duration.seconds(Math.min(900, refreshSeconds - GAP_SECONDS)),
      logRetention: props.logRetention,
      environment: {
        SNAPSHOT_TABLE: snapshots.tableName,
        GAMMA_URL: stage.gammaUrl,
        CLOB_URL: stage.clobUrl,
        SNAPSHOT_MAX_MARKETS: String(stage.maxMarkets),
        REFRESH_INTERVAL_SECONDS: String(refreshSeconds),
        // Stale data can only be served while it is there.
        SNAPSHOT_KEPT_SECONDS: String(Math.max(SNAPSHOT_KEPT_SECONDS, stage.staleIfErrorSeconds)),
      },
    });
    snapshots.grantPublish(refresh);
    refresh.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: MAX_EVENT_AGE,
      onFailure: new SqsDestination(this.failed),
    });
    this.function = refresh;

    new Schedule(this, 'Schedule', {
      schedule: ScheduleExpression.rate(Duration.minutes(stage.refreshMinutes)),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(refresh, {
        input: ScheduleTargetInput.fromObject({
          source: 'schedule',
          scheduledTime: ContextAttribute.scheduledTime,
        }),
        retryAttempts: 1,
        maxEventAge: MAX_EVENT_AGE,
        deadLetterQueue: this.undelivered,
      }),
    });
    // The first snapshot right after a deployment. As an event: a run that fails because the upstream is down
    // must not roll the deployment back.
    new Trigger(this, 'FirstRun', { handler: refresh, invocationType: InvocationType.EVENT });
  }

  private queue(id: string): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
