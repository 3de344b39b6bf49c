import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** Older invocations are dropped, because the next one repeats their work. */
export const MAX_EVENT_AGE_SECONDS = 60;

/** Minutes and hours of EventBridge's cron, in UTC. */
export const EVERY_MINUTE = '* *';
/** The two kinds of runs share the minutes of the hour: full runs use the even ones. */
export const EVEN_MINUTES = '0/2 *';
export const ODD_MINUTES = '1/2 *';

interface ScheduledInvocation {
  readonly id: string;
  /** Cron keeps the distance between schedules, whenever the stack was deployed. */
  readonly cron: string;
  readonly input?: object;
}

/**
 * Schedules that invoke one function. The policy of their role is inline, so that it is in force
 * before the first schedule exists.
 */
export class Schedules extends Construct {
  constructor(
    scope: Construct,
    id: string,
    invoked: LambdaFunction,
    invocations: readonly ScheduledInvocation[],
  ) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'EventBridge Scheduler invokes one function',
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        Invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [invoked.functionArn],
            }),
          ],
        }),
      },
    });
    for (const { id: name, cron, input } of invocations) {
      new CfnSchedule(this, name, {
        scheduleExpression: `cron(${cron} * * ? *)`,
        flexibleTimeWindow: { mode: 'OFF' },
        // The default. But CloudFormation finds and reverts drift only of properties in the template.
        state: 'ENABLED',
        target: {
          arn: invoked.functionArn,
          roleArn: role.roleArn,
          ...(input && { input: JSON.stringify(input) }),
          retryPolicy: { maximumEventAgeInSeconds: MAX_EVENT_AGE_SECONDS, maximumRetryAttempts: 1 },
        },
      });
    }
  }
}
