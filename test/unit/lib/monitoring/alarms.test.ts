import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, CHANGED_AGAIN, OPERATED, PROD } from '../../../support/variants.ts';

const plain = synthesizeStack();
const told = synthesizeStack(...OPERATED);
const changed = synthesizeStack(...CHANGED);

const OPERATORS: Readonly<Record<string, string>> = {
  GreaterThanOrEqualToThreshold: '>=',
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
};

/** Id, operator, threshold, periods, seconds of a period, and what a missing value is. */
const RINGS = [
  ['data-age', '>', 150, '2 of 3', 120, 'breaching'],
  ['refresh-failing', '>=', 1, '2 of 3', 120, 'notBreaching'],
  ['prices-failing', '>=', 1, '2 of 3', 120, 'notBreaching'],
  ['refresh-not-running', '<', 1, '2 of 2', 120, 'breaching'],
  ['market-count-dropped', '>=', 1, '3 of 4', 120, 'notBreaching'],
  ['enrichment-coverage', '>=', 1, '3 of 4', 120, 'notBreaching'],
  ['undelivered-runs', '>=', 1, '1 of 1', 300, 'notBreaching'],
  ['failed-runs', '>=', 10, '1 of 1', 300, 'notBreaching'],
  ['server-errors', '>', 5, '2 of 3', 300, 'notBreaching'],
  ['slow-responses', '>', 3_000, '3 of 3', 300, 'notBreaching'],
  ['plan-exhausted', '>=', 7_560, '3 of 5', 60, 'notBreaching'],
  ['plan-refusals', '>=', 10, '2 of 3', 300, 'notBreaching'],
  ['front-door-closed', '>=', 1, '2 of 3', 300, 'breaching'],
  ['rate-limit-unavailable', '>=', 10, '2 of 3', 300, 'notBreaching'],
  ['upstream-blocked', '>=', 3, '2 of 3', 300, 'notBreaching'],
  ['upstream-changed', '>=', 1, '1 of 1', 300, 'notBreaching'],
  ['lambda-throttles', '>=', 5, '1 of 1', 300, 'notBreaching'],
  ['account-concurrency', '>=', 80, '3 of 5', 60, 'notBreaching'],
  ['dynamodb-throttles', '>=', 10, '1 of 1', 300, 'notBreaching'],
];

const alarm = (id: string, from = plain) => {
  const found = resources(from, 'AWS::CloudWatch::Alarm').find(([, { Properties }]) =>
    String(Properties.AlarmDescription).endsWith(`#${id}`),
  );
  return found?.[1].Properties;
};

describe('the alarms', () => {
  it('take silence about the data and of the front door for bad news, and any other silence for none', () => {
    const breaching = resources(plain, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
      Properties.TreatMissingData === 'breaching' ? [Properties] : [],
    );
    expect(breaching).toEqual([alarm('data-age'), alarm('refresh-not-running'), alarm('front-door-closed')]);
  });

  it('call data too old where readers do', () => {
    expect(alarm('data-age')).toMatchObject({ Threshold: 150, ComparisonOperator: 'GreaterThanThreshold' });
    expect(alarm('data-age', changed)).toMatchObject({ Threshold: 330 });
  });

  it('expect a value for each run, however long the interval', () => {
    expect(alarm('refresh-not-running')).toMatchObject({ Period: 120 });
    expect(alarm('refresh-not-running', changed)).toMatchObject({ Period: 300 });
    expect(alarm('data-age', changed)?.Metrics).toMatchObject([
      { MetricStat: { Period: 300, Stat: 'Maximum' } },
    ]);
  });

  it('do not make a share of a handful of requests', () => {
    expect(alarm('server-errors')?.Metrics).toContainEqual(
      expect.objectContaining({ Expression: 'IF(requests >= 20, 100 * errors / requests, 0)' }),
    );
  });

  it('follow the stage: its plan, its access log', () => {
    expect(alarm('plan-exhausted', changed)).toMatchObject({ Threshold: 3_240, Period: 60 });
    expect(alarm('plan-refusals')).toBeUndefined();
    expect(alarm('plan-refusals', changed)).toBeDefined();
  });

  it('cost no more than 4 USD a month: metrics that they look at, at 0.10 each', () => {
    const metrics = resources(told, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
      const { Metrics = [] } = Properties as { Metrics?: readonly { MetricStat?: unknown }[] };
      const counted = Metrics.filter(({ MetricStat }) => MetricStat).length;
      return Array.from({ length: Math.max(1, counted) });
    });
    expect(metrics.length).toBeLessThanOrEqual(40);
  });
});

describe('when each alarm rings', () => {
  const all = synthesizeStack(...PROD);
  const told = resources(all, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const id = /#([\w-]+)$/.exec(String(Properties.AlarmDescription))?.[1] ?? '';
    const metrics = (Properties.Metrics ?? []) as { readonly MetricStat?: { readonly Period: number } }[];
    return [
      id,
      OPERATORS[String(Properties.ComparisonOperator)],
      Properties.Threshold,
      `${Properties.DatapointsToAlarm} of ${Properties.EvaluationPeriods}`,
      Properties.Period ?? metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period,
      Properties.TreatMissingData,
    ];
  });

  // One table, so that no threshold, operator or period changes unseen.
  it('is written here', () => {
    expect(told).toEqual(RINGS);
  });
});

describe('without an address for them', () => {
  it('alarms tell nobody, and there is no topic or key', () => {
    for (const [, { Properties }] of resources(plain, 'AWS::CloudWatch::Alarm')) {
      expect(Properties).not.toHaveProperty('AlarmActions');
    }
    for (const type of ['AWS::SNS::Topic', 'AWS::KMS::Key']) {
      plain.resourceCountIs(type, 0);
    }
  });
});

describe('with an address for them', () => {
  it('alarms tell when they begin and when they end', () => {
    const [topic] = resources(told, 'AWS::SNS::Topic').map(([id]) => ({ Ref: id }));
    for (const [, { Properties }] of resources(told, 'AWS::CloudWatch::Alarm')) {
      expect(Properties).toMatchObject({ AlarmActions: [topic], OKActions: [topic] });
    }
    told.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
    });
  });

  it('the topic takes messages over TLS only, from the alarms of its account, and CloudWatch may use its key', () => {
    told.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
    told.hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });

  it('nothing of it stays behind', () => {
    for (const type of ['AWS::SNS::Topic', 'AWS::KMS::Key']) {
      for (const [, { DeletionPolicy = 'Delete' }] of resources(told, type)) {
        expect(DeletionPolicy).toBe('Delete');
      }
    }
  });

  it('the budget tells at four fifths, and when more than all is forecast', () => {
    told.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 50, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ],
    });
  });

  it('a budget of 0 is none', () => {
    synthesizeStack(...CHANGED_AGAIN).resourceCountIs('AWS::Budgets::Budget', 0);
  });

  it('a budget without an address is there to be looked at', () => {
    changed.hasResourceProperties('AWS::Budgets::Budget', {
      NotificationsWithSubscribers: Match.absent(),
    });
  });
});
