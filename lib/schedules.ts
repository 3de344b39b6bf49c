import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** Older invocations are dropped, because the next one repeats their work. */
export const MAX_EVENT_AGE_SECONDS = 60;

/** Minutes and hours of EventBridge's cron, in UTC. */
export const EVERY_MINUTE = '* *';

/**
 * The minutes of the two kinds of runs, so that none of them fall together: full runs begin with
 * the hour, price runs use the steps between full runs. For 120 and 60 seconds, full runs use the
 * even minutes and price runs the odd ones.
 *
 * @throws Error unless both are whole minutes, and the hour has whole intervals
 */
export function runMinutes(
  fullSeconds: number,
  runSeconds: number,
): { readonly full: string; readonly prices: string } {
  const [full, run] = [fullSeconds / 60, runSeconds / 60];
  const steps = full / run;
  if (![full, run, steps, 60 / full].every(Number.isInteger) || steps < 2 || full > 30) {
    throw new Error(
      `A full run every ${fullSeconds} s and a run every ${runSeconds} s are no schedule: full runs need a whole multiple of the other, and both whole minutes that divide the hour.`,
    );
  }
  const minutes = Array.from({ length: 60 / run }, (_, n) => n * run);
  const between = minutes.filter((minute) => minute % full !== 0).join(',');
  return { full: `0/${full} *`, prices: `${steps === 2 ? `${run}/${full}` : between} *` };
}

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
        // The default. But CloudFormation finds and reverts drift only of properties in the
        // template.
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
