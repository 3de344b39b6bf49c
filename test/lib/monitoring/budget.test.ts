import { expect, it } from '@jest/globals';
import { only, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

it('the budget writes to the address of the alarms', () => {
  const [, { Properties }] = only(template('prod'), 'AWS::Budgets::Budget');
  expect(Properties.Budget).toMatchObject({
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
    Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'on-call@example.com' }],
  });
  expect(Properties.NotificationsWithSubscribers).toEqual([
    notice('ACTUAL', 80),
    notice('FORECASTED', 100),
  ]);
});

it.each<[Variant, string]>([
  ['changed', 'monthlyBudgetUsd is 0'],
  ['noEdge', 'the region has no budgets'],
  ['dev', 'there is no address'],
])('%s has no budget, because %s', (variant, _reason) => {
  expect(resources(template(variant), 'AWS::Budgets::Budget')).toEqual([]);
});
