import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { acknowledge } from '../nag/acknowledge.ts';
import { schedulerRole } from '../scheduler-role.ts';
import { ServiceFunction } from '../service-function.ts';

export interface FrontDoorWatchProps {
  readonly stage: Stage;
  /** Where callers begin, without a slash at the end. */
  readonly url: string;
}

/** By which the function is told from the others. */
export const WATCH_DESCRIPTION = 'Looks whether callers get through the front door';
/** Minutes between two looks. */
export const WATCH_MINUTES = 5;
/** Off the start of CloudWatch's five minutes, so that each of them has exactly one look however late it comes. */
const FIRST_MINUTE = 2;
/** A look that comes later would count for the next five minutes. */
const MAX_EVENT_AGE = Duration.seconds(60);

/**
 * A caller of our own: asks for the status through the front door every few minutes, and fails when it does not get it.
 * Lambda's own metrics tell how that goes, at no cost; it may do nothing else in the account (docs/adr/0025-front-door-watch.md).
 */
export class FrontDoorWatch extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stage, url }: FrontDoorWatchProps) {
    super(scope, id);
    const watch = new ServiceFunction(this, 'Function', {
      handler: 'watch-front-door',
      description: WATCH_DESCRIPTION,
      memoryMb: 128,
      timeout: Duration.seconds(20),
      stage,
      environment: { FRONT_DOOR_URL: url },
    });
    watch.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: MAX_EVENT_AGE });
    acknowledge(this, {
      'Serverless-LambdaAsyncFailureDestination':
        'A failed look is the very thing that is counted; a message of it would tell nothing more.',
    });
    this.function = watch;
    const minutes = Array.from({ length: 60 / WATCH_MINUTES }, (_, n) => FIRST_MINUTE + n * WATCH_MINUTES);
    new Schedule(this, 'Schedule', {
      schedule: ScheduleExpression.expression(`cron(${minutes.join(',')} * * * ? *)`),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(watch, {
        retryAttempts: 0,
        maxEventAge: MAX_EVENT_AGE,
        role: schedulerRole(this, watch, 'Invokes the watch of the front door by schedule'),
      }),
    });
  }
}
