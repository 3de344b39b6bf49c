import { expect, it } from '@jest/globals';
import { pricesAt } from '../../../../lambda/refresh/pace.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';

it('the schedule tells each run when it was due, so that the run can keep its pace', () => {
  const schedules = resources(synthesizeStack(), 'AWS::Scheduler::Schedule');
  const [input = ''] = schedules.map(([, { Properties }]) => (Properties.Target as { Input: string }).Input);
  const event = JSON.parse(input.replace('<aws.scheduler.scheduled-time>', '2026-11-21T12:00:00Z'));
  const started = Date.parse('2026-11-21T12:00:07Z');
  const pace = { maxMarkets: 2_000, intervalSeconds: 120 };
  expect(pricesAt(event, started, pace)).toBe(Date.parse('2026-11-21T12:00:40Z'));
});

it('runs of more than 8,000 markets are three minutes apart, and data is fresh for as long', () => {
  const template = synthesizeStack({ maxMarkets: '10000' });
  template.hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(3 minutes)' });
  const settings = resources(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) =>
      (Properties.Environment as { Variables: Record<string, string> })?.Variables ?? {},
  );
  expect(settings.filter((variables) => 'SNAPSHOT_MAX_MARKETS' in variables)).toMatchObject([
    { SNAPSHOT_MAX_MARKETS: '10000', REFRESH_INTERVAL_SECONDS: '180' },
  ]);
  for (const { FRESH_SECONDS } of settings.filter((variables) => 'FRESH_SECONDS' in variables))
    expect(FRESH_SECONDS).toBe('180');
});

it('what the trigger after a deployment invokes is not repeated either, and its failure leaves a message', () => {
  const template = synthesizeStack();
  const [trigger] = resources(template, 'Custom::Trigger').map(([, { Properties }]) => Properties.HandlerArn);
  const configs = resources(template, 'AWS::Lambda::EventInvokeConfig').map(
    ([, { Properties }]) => Properties,
  );
  const version = (trigger as { Ref: string }).Ref;
  expect(configs).toHaveLength(2);
  expect(configs.map(({ Qualifier }) => Qualifier)).toContainEqual({ 'Fn::GetAtt': [version, 'Version'] });
  for (const config of configs) {
    expect(config).toMatchObject({ MaximumRetryAttempts: 0, DestinationConfig: { OnFailure: {} } });
  }
});

it('has executions of its own where the stage says so, and only there: a new account has none to give', () => {
  const reserved = (context = {}) =>
    resources(synthesizeStack(context), 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
      'ReservedConcurrentExecutions' in Properties
        ? [[Properties.Description, Properties.ReservedConcurrentExecutions]]
        : [],
    );
  expect(reserved()).toEqual([]);
  expect(reserved({ reserveRefresher: 'true' })).toEqual([
    ['Reads the upstreams and publishes a snapshot of the markets', 2],
  ]);
});
