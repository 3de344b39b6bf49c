import { describe, expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, NO_EDGE } from '../../../support/variants.ts';

const template = synthesizeStack();
const of = (type: string, from = template) =>
  resources(from, type).filter(([id]) => id.startsWith('FrontDoorWatch'));

describe('the watch of the front door', () => {
  it('looks twelve times an hour, once in each five minutes, and nothing is tried again', () => {
    const [[, { Properties }] = ['', { Properties: {} as Record<string, unknown> }]] =
      of('AWS::Scheduler::Schedule');
    expect(Properties).toMatchObject({
      ScheduleExpression: 'cron(2,7,12,17,22,27,32,37,42,47,52,57 * * * ? *)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
    });
    const [[, config] = ['', { Properties: {} }]] = of('AWS::Lambda::EventInvokeConfig');
    expect(config.Properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  });

  it('goes the way of callers: by the distribution’s name, or the domain where there is one', () => {
    const urlIn = (from: typeof template) =>
      of('AWS::Lambda::Function', from).map(
        ([, { Properties }]) =>
          (Properties.Environment as { Variables: Record<string, unknown> }).Variables.FRONT_DOOR_URL,
      );
    const [distribution] = resources(template, 'AWS::CloudFront::Distribution').map(([id]) => id);
    expect(urlIn(template)).toEqual([
      { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]] },
    ]);
    const own = synthesizeStack(...CHANGED);
    expect(urlIn(own)).toEqual(['https://markets.example.com']);
  });

  it('may write its log and its trace, and nothing else', () => {
    const actions = of('AWS::IAM::Policy')
      .filter(([id]) => id.includes('Function'))
      .flatMap(([, { Properties }]) =>
        (Properties.PolicyDocument as { Statement: { Action: string | string[] }[] }).Statement.flatMap(
          ({ Action }) => Action,
        ),
      );
    expect(actions.sort()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });

  it('rings when two of three looks fail, or when there are none', () => {
    const [watch] = of('AWS::Lambda::Function').map(([id]) => id);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: watch } }],
      Period: 300,
      Statistic: 'Sum',
      Threshold: 1,
      DatapointsToAlarm: 2,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    });
  });

  it('is not there without a front door', () => {
    expect(of('AWS::Lambda::Function', synthesizeStack(...NO_EDGE))).toEqual([]);
  });
});
