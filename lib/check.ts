/**
 * The check of the deployed service: it sends a caller's requests once a minute, and fails if a
 * response is wrong.
 */
import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from './config/stage-config.ts';
import { EVERY_MINUTE, MAX_EVENT_AGE_SECONDS, Schedules } from './schedules.ts';
import { ServiceFunction } from './service-function.ts';

interface CheckProps {
  readonly stage: StageConfig;
  /** The address for callers. */
  readonly url: string;
  /** Needed without an edge; otherwise empty. */
  readonly apiKey: string;
}

/** The function of the check, and its schedule. The alarm `service-down` counts its failures. */
export class Check extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stage, url, apiKey }: CheckProps) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Function', {
      handler: 'check-service',
      description: 'Requests what callers request',
      // A container uses 125 MB after two hours. The check is CPU-bound and CPU follows memory, so
      // 256 MB cost the same as 128.
      memoryMb: 256,
      timeout: Duration.seconds(30),
      stage,
      environment: { BASE_URL: url, API_KEY: apiKey },
    });
    this.function.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.seconds(MAX_EVENT_AGE_SECONDS),
    });
    new Schedules(this, 'Schedules', this.function, [{ id: 'Check', cron: EVERY_MINUTE }]);
  }
}
