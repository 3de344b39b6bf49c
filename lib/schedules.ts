/** Runs a Lambda function by the clock, with EventBridge Scheduler. */
import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/** EventBridge and Lambda drop older invocations, because the next one repeats their work. */
export const MAX_EVENT_AGE_SECONDS = 60;

/** The first two fields of EventBridge's cron: minutes and hours, in UTC. */
export const EVERY_MINUTE = '* *';

/**
 * The minutes of the refresher's two kinds of runs as fields of cron. Full runs begin with the
 * hour. Price runs use the minutes between full runs, so that two runs never begin together.
 *
 * @param fullSeconds from one full run to the next
 * @param runSeconds from one run of any kind to the next
 * @throws Error unless both are whole minutes, and the hour has whole intervals
 * @example runMinutes(120, 60) // { full: '0/2 *', prices: '1/2 *' }: even and odd minutes
 * @example runMinutes(1_800, 600) // { full: '0/30 *', prices: '10,20,40,50 *' }
 */
export function runMinutes(
  fullSeconds: number,
  runSeconds: number,
): { readonly full: string; readonly prices: string } {
  const full = fullSeconds / 60;
  const step = runSeconds / 60;
  const runsPerFull = full / step;
  const areWhole = [full, step, runsPerFull, 60 / full].every(Number.isInteger);
  // Cron has no step of 60 minutes.
  if (!areWhole || runsPerFull < 2 || full > 30) {
    throw new Error(
      `A full run every ${fullSeconds} s and a run every ${runSeconds} s are no schedule: full runs need a whole multiple of the other, and both whole minutes that divide the hour.`,
    );
  }
  const fullRuns = `0/${full} *`;
  // The same minutes as those of the list below, but shorter.
  if (runsPerFull === 2) return { full: fullRuns, prices: `${step}/${full} *` };
  const minutes = Array.from({ length: 60 / step }, (_, n) => n * step);
  const between = minutes.filter((minute) => minute % full !== 0);
  return { full: fullRuns, prices: `${between.join(',')} *` };
}

/** One schedule. */
interface ScheduledInvocation {
  readonly id: string;
  /**
   * Minutes and hours in UTC. Unlike a rate, cron keeps the distance between schedules, whenever
   * the stack was deployed.
   */
  readonly cron: string;
  /** The event that the function gets. */
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
        // The default. It is in the template so that CloudFormation finds and reverts a change.
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
