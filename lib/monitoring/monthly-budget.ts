import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';

/**
 * A monthly budget of the whole account: a budget for a part of it needs tags that a person has to activate in the billing
 * console first. It writes when 80 % is spent, and when AWS forecasts more than 100 %.
 */
export function addMonthlyBudget(scope: Construct, { monthlyBudgetUsd, alarmEmail }: StageConfig): void {
  if (monthlyBudgetUsd === 0) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetUsd, unit: 'USD' },
    },
    ...(alarmEmail !== undefined && {
      notificationsWithSubscribers: [notice('ACTUAL', 80, alarmEmail), notice('FORECASTED', 100, alarmEmail)],
    }),
  });
}

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
