import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

export interface MonthlyBudgetProps {
  readonly usd: number;
  /** Told when four fifths are spent, and when more than all is forecast. @default nobody: the console shows it */
  readonly email?: string | undefined;
}

/** The section of the runbook: a budget is no CloudWatch alarm, but it wakes people too. */
export const BUDGET_SECTION = 'budget';

/**
 * What a month may cost. It counts the whole account: a budget for a part of it needs tags that somebody has to
 * activate in the billing console first, and without them it would count nothing.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, props: MonthlyBudgetProps) {
    super(scope, id);
    const { usd, email } = props;
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: usd, unit: 'USD' },
      },
      ...(email && {
        notificationsWithSubscribers: [
          notification('ACTUAL', 80, email),
          notification('FORECASTED', 100, email),
        ],
      }),
    });
  }
}

function notification(
  notificationType: 'ACTUAL' | 'FORECASTED',
  threshold: number,
  address: string,
): CfnBudget.NotificationWithSubscribersProperty {
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
