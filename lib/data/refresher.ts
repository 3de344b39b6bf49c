import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IDestination, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  ContextAttribute,
  Schedule,
  type ScheduleExpression,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import { SNAPSHOT_KEPT_SECONDS } from '../../lambda/contract/constants.ts';
import type { RunKind } from '../../lambda/contract/run-kind.ts';
import { perUrlVariable, UPSTREAMS } from '../../lambda/contract/upstreams.ts';
import type { Stage } from '../config/stages.ts';
import { acknowledge } from '../nag/acknowledge.ts';
import { schedulerRole } from '../scheduler-role.ts';
import { ServiceFunction } from '../service-function.ts';
import { cadences } from './cadence.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { TriggerLogs } from './trigger-logs.ts';

export interface RefresherProps {
  readonly stage: Stage;
  readonly snapshots: SnapshotStore;
}

/** By which the function is told from the others. */
export const REFRESHER_DESCRIPTION = 'Reads the upstreams and publishes a snapshot of the markets';
/** A run ends this long before the next one is due. */
const GAP_SECONDS = 2;
/** A run mostly waits, and waiting is billed by memory: up to here the smaller size holds all its markets. */
const SMALL_RUN_MARKETS = 4_000;
const MIDDLE_RUN_MARKETS = 10_000;
/** Two, since a run after a deployment and a scheduled one may overlap. */
const RESERVED = 2;
/** An invocation that waited longer is worth nothing: the next one is due. */
const MAX_EVENT_AGE = Duration.seconds(60);

/**
 * The scheduled function that writes snapshots. Invocations that could not be delivered, and runs that failed,
 * leave a message in a queue each; neither is tried again, since the next run does it all anew.
 */
export class Refresher extends Construct {
  readonly function: LambdaFunction;
  readonly undelivered: Queue;
  readonly failed: Queue;

  constructor(scope: Construct, id: string, props: RefresherProps) {
    super(scope, id);
    const { stage, snapshots } = props;
    const refreshSeconds = stage.refreshMinutes * 60;
    this.undelivered = this.#queue('Undelivered');
    this.failed = this.#queue('Failed');

    const refresh = new ServiceFunction(this, 'Function', {
      handler: 'refresh-snapshot',
      description: REFRESHER_DESCRIPTION,
      ...(stage.reserveRefresher ? { reservedConcurrency: RESERVED } : {}),
      memoryMb: runMemoryMb(stage.maxMarkets),
      timeout: Duration.seconds(Math.min(900, refreshSeconds - GAP_SECONDS)),
      stage,
      environment: {
        SNAPSHOT_TABLE: snapshots.tableName,
        ...perUrlVariable((name) => stage[UPSTREAMS[name].setting]),
        SNAPSHOT_MAX_MARKETS: String(stage.maxMarkets),
        REFRESH_INTERVAL_SECONDS: String(refreshSeconds),
        // Stale data can only be served while it is there.
        SNAPSHOT_KEPT_SECONDS: String(Math.max(SNAPSHOT_KEPT_SECONDS, stage.staleIfErrorSeconds)),
      },
    });
    snapshots.grantPublish(refresh);
    // The trigger below invokes the version that is deployed, which has settings of its own.
    for (const invoked of [refresh, refresh.currentVersion]) {
      invoked.configureAsyncInvoke({
        retryAttempts: 0,
        maxEventAge: MAX_EVENT_AGE,
        onFailure: messageTo(this.failed),
      });
    }
    this.function = refresh;

    const { full, prices } = cadences(stage.refreshMinutes);
    const role = schedulerRole(this, refresh, 'Invokes the refresher by schedule');
    const schedule = (name: string, kind: RunKind, expression: ScheduleExpression) =>
      new Schedule(this, name, {
        schedule: expression,
        timeWindow: TimeWindow.off(),
        target: new LambdaInvoke(refresh, {
          input: ScheduleTargetInput.fromObject({
            source: 'schedule',
            kind,
            scheduledTime: ContextAttribute.scheduledTime,
          }),
          retryAttempts: 1,
          maxEventAge: MAX_EVENT_AGE,
          deadLetterQueue: this.undelivered,
          role,
        }),
      });
    schedule('Schedule', 'full', full);
    if (prices) schedule('PriceSchedule', 'prices', prices);
    // The first snapshot right after a deployment. As an event: a run that fails because the upstream is down
    // must not roll the deployment back.
    new Trigger(this, 'FirstRun', { handler: refresh, invocationType: InvocationType.EVENT });
    new TriggerLogs(this, 'FirstRunLogs', { retention: stage.logRetentionDays });
  }

  #queue(id: string): Queue {
    const queue = new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const end = 'It is where failures end up, itself; nothing consumes it, so nothing can fail to.';
    acknowledge(queue, { 'AwsSolutions-SQS3': end, 'Serverless-SQSRedrivePolicy': end });
    return queue;
  }
}

function runMemoryMb(markets: number): number {
  if (markets <= SMALL_RUN_MARKETS) return 512;
  return markets <= MIDDLE_RUN_MARKETS ? 1_024 : 2_048;
}

/** The CDK's SqsDestination, without the two permissions that Lambda does not use. */
function messageTo(queue: Queue): IDestination {
  return {
    bind: (_scope, from) => {
      queue.grant(from, 'sqs:SendMessage');
      return { destination: queue.queueArn };
    },
  };
}
