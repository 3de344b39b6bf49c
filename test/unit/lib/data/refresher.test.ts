import { expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, CHANGED_AGAIN, DEV, type Variant } from '../../../support/variants.ts';

it('full runs and price runs are scheduled apart, one in the middle of the others', () => {
  const schedules = resources(synthesizeStack(), 'AWS::Scheduler::Schedule')
    .filter(([id]) => id.startsWith('Refresher'))
    .map(([, { Properties }]) => ({
      expression: Properties.ScheduleExpression,
      kind: JSON.parse((Properties.Target as { Input: string }).Input).kind,
    }));
  const minutes = (from: number) => Array.from({ length: 30 }, (_, n) => from + 2 * n).join(',');
  expect(schedules).toEqual([
    { kind: 'full', expression: `cron(${minutes(0)} * * * ? *)` },
    { kind: 'prices', expression: `cron(${minutes(1)} * * * ? *)` },
  ]);
});

it('full runs may be further apart, and data is fresh for as long', () => {
  const template = synthesizeStack(...CHANGED);
  template.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: `cron(${Array.from({ length: 12 }, (_, n) => 5 * n).join(',')} * * * ? *)`,
  });
  const settings = resources(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) =>
      (Properties.Environment as { Variables: Record<string, string> })?.Variables ?? {},
  );
  expect(settings.filter((variables) => 'SNAPSHOT_MAX_MARKETS' in variables)).toMatchObject([
    { REFRESH_INTERVAL_SECONDS: '300' },
  ]);
  for (const { FRESH_SECONDS } of settings.filter((variables) => 'FRESH_SECONDS' in variables))
    expect(FRESH_SECONDS).toBe('300');
});

it('what the trigger after a deployment invokes is not repeated either, and its failure leaves a message', () => {
  const template = synthesizeStack();
  const [trigger] = resources(template, 'Custom::Trigger').map(([, { Properties }]) => Properties.HandlerArn);
  const configs = resources(template, 'AWS::Lambda::EventInvokeConfig')
    .filter(([id]) => id.startsWith('Refresher'))
    .map(([, { Properties }]) => Properties);
  const version = (trigger as { Ref: string }).Ref;
  expect(configs).toHaveLength(2);
  expect(configs.map(({ Qualifier }) => Qualifier)).toContainEqual({ 'Fn::GetAtt': [version, 'Version'] });
  for (const config of configs) {
    expect(config).toMatchObject({ MaximumRetryAttempts: 0, DestinationConfig: { OnFailure: {} } });
  }
});

it('has executions of its own where the stage says so, and only there: a new account has none to give', () => {
  const reserved = (variant: Variant) =>
    resources(synthesizeStack(...variant), 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
      'ReservedConcurrentExecutions' in Properties
        ? [[Properties.Description, Properties.ReservedConcurrentExecutions]]
        : [],
    );
  expect(reserved(DEV)).toEqual([]);
  expect(reserved(CHANGED)).toEqual([['Reads the upstreams and publishes a snapshot of the markets', 2]]);
});

it('is invoked by the schedules of this account alone', () => {
  const roles = resources(synthesizeStack(), 'AWS::IAM::Role').filter(([, { Properties }]) =>
    JSON.stringify(Properties.AssumeRolePolicyDocument).includes('scheduler.amazonaws.com'),
  );
  expect(roles.length).toBeGreaterThanOrEqual(2);
  for (const [id, { Properties }] of roles) {
    const { Statement } = Properties.AssumeRolePolicyDocument as { Statement: { Condition?: unknown }[] };
    expect([id, Statement.map(({ Condition }) => Condition)]).toEqual([
      id,
      [{ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }],
    ]);
  }
});

it('keeps snapshots as long as they may be served, an hour at least', () => {
  const keptSeconds = (variant: Variant) =>
    resources(synthesizeStack(...variant), 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
      const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, string> };
      return Variables?.SNAPSHOT_KEPT_SECONDS ?? [];
    });
  expect(keptSeconds(DEV)).toEqual(['3600']);
  expect(keptSeconds(CHANGED)).toEqual(['7200']);
  expect(keptSeconds(CHANGED_AGAIN)).toEqual(['3600']);
});
