/**
 * AWS Budgets emails the operator when the bill of a month passes a part of the setting
 * `monthlyBudgetUsd`. `stages/prod.json` sets 300.
 */
import { expect, it } from '@jest/globals';
import { only, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

it('the budget writes at 80 % of 300 USD, and if the forecast is above 300 USD', () => {
  const { properties } = only(template('prod'), 'AWS::Budgets::Budget');
  expect(properties.Budget).toMatchObject({
    BudgetLimit: { Amount: 300, Unit: 'USD' },
    TimeUnit: 'MONTHLY',
  });
  const notice = (NotificationType: string, Threshold: number) => ({
    Notification: {
      NotificationType,
      ComparisonOperator: 'GREATER_THAN',
      Threshold,
      ThresholdType: 'PERCENTAGE',
    },
    // The address of the alarms.
    Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'on-call@example.com' }],
  });
  expect(properties.NotificationsWithSubscribers).toEqual([
    notice('ACTUAL', 80),
    notice('FORECASTED', 100),
  ]);
});

it.each<{ readonly variant: Variant; readonly reason: string }>([
  { variant: 'changed', reason: 'monthlyBudgetUsd is 0' },
  { variant: 'noEdge', reason: 'the region has no budgets' },
  { variant: 'dev', reason: 'there is no address' },
])('$variant has no budget, because $reason', ({ variant }) => {
  expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
});
