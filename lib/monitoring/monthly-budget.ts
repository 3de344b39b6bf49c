/** The monthly budget of the AWS account, which sends an email when costs are too high. */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';

/** Regions whose CloudFormation has budgets. */
const REGIONS_WITH_BUDGETS: readonly string[] = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'sa-east-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eu-central-1',
  'me-south-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
];

/**
 * Adds the budget, if the stage has an amount and an email address. It counts the whole account,
 * because a smaller budget needs tags that a person activates in the billing console.
 */
export function addMonthlyBudget(
  scope: Construct,
  { region, monthlyBudgetUsd, alarmEmail }: StageConfig,
): void {
  if (monthlyBudgetUsd === 0 || alarmEmail === undefined || !REGIONS_WITH_BUDGETS.includes(region))
    return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: [
      notice('ACTUAL', 80, alarmEmail),
      notice('FORECASTED', 100, alarmEmail),
    ],
  });
}

/** An email when this percentage of the budget is exceeded, by actual costs or by the forecast. */
function notice(notificationType: 'ACTUAL' | 'FORECASTED', threshold: number, address: string) {
  return {
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  };
}
