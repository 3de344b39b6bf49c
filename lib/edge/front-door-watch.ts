import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';
import { MAX_EVENT_AGE_SECONDS, minutesOfHour, Schedules } from '../schedules.ts';
import { ServiceFunction } from '../service-function.ts';

/** Also the alarm's period. Two failed checks and the alarm's delay fit into ten minutes. */
export const WATCH_INTERVAL_SECONDS = 180;

/** Lambda's metrics count the failed checks. */
export class FrontDoorWatch extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stage, url }: { readonly stage: StageConfig; readonly url: string }) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Function', {
      handler: 'check-service',
      description: 'Requests what callers request',
      memoryMb: 128,
      timeout: Duration.seconds(30),
      stage,
      environment: { BASE_URL: url, API_KEY: '' },
    });
    this.function.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.seconds(MAX_EVENT_AGE_SECONDS),
    });
    new Schedules(this, 'Schedules', this.function, [{ id: 'Check', minutes: minutesOfHour(WATCH_INTERVAL_SECONDS) }]);
  }
}
