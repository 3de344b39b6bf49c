import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** An older invocation is dropped: the next one repeats its work. */
export const MAX_EVENT_AGE_SECONDS = 60;

interface ScheduledInvocation {
  readonly id: string;
  /** Cron keeps the distances between schedules, whenever the stack was deployed. */
  readonly minutes: readonly number[];
  /** In UTC. @default every hour */
  readonly hour?: number;
  readonly input?: object;
}

/** The inline policy of the role is in force before the first schedule exists. */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, invoked: LambdaFunction, invocations: readonly ScheduledInvocation[]) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'EventBridge Scheduler invokes one function',
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        Invoke: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [invoked.functionArn] })],
        }),
      },
    });
    for (const { id: name, minutes, hour = '*', input } of invocations) {
      if (minutes.length === 0) continue;
      new CfnSchedule(this, name, {
        scheduleExpression: `cron(${minutes.join(',')} ${hour} * * ? *)`,
        flexibleTimeWindow: { mode: 'OFF' },
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

/** Includes minute 0. @throws Error unless the interval divides the hour */
export function minutesOfHour(intervalSeconds: number): readonly number[] {
  const minutes = intervalSeconds / 60;
  if (!Number.isInteger(minutes) || 60 % minutes !== 0) {
    throw new Error(`A schedule needs an interval of whole minutes that divides 60, not ${intervalSeconds} s.`);
  }
  return Array.from({ length: 60 / minutes }, (_, n) => n * minutes);
}

/** Price runs use the minutes that full runs leave. */
export function runMinutes(fullIntervalSeconds: number, runIntervalSeconds: number) {
  const full = minutesOfHour(fullIntervalSeconds);
  return { full, prices: minutesOfHour(runIntervalSeconds).filter((minute) => !full.includes(minute)) };
}
