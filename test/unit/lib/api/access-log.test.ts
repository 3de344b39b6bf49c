import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { ENVIRONMENT } from '../../../../lambda/contract/environment.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { PROD } from '../../../support/variants.ts';

const logged = synthesizeStack(...PROD);
const unlogged = synthesizeStack();

describe('the access log of a stage that has one', () => {
  const [setting] = resources(logged, 'AWS::ApiGateway::Stage').map(
    ([, { Properties }]) => Properties.AccessLogSetting as { DestinationArn: unknown; Format: string },
  );
  const format = setting?.Format ?? '';

  it('is a line of JSON even where API Gateway has nothing to say', () => {
    const line = format.replaceAll(/\$context\.[\w.]+/g, '-');
    expect(Object.values(JSON.parse(line)).every((value) => value === '-')).toBe(true);
    expect(JSON.parse(format)).toMatchObject({ requestId: '$context.requestId', status: '$context.status' });
  });

  it('holds no address, no key and no query of a caller', () => {
    expect(format).not.toMatch(/sourceIp|identity\.apiKey"|identity\.user|querystring|\.path\b|header/i);
  });

  it('has a log group of its own that expires and goes with the stack', () => {
    const [id] = resources(logged, 'AWS::Logs::LogGroup')
      .filter(([logicalId]) => JSON.stringify(setting?.DestinationArn).includes(logicalId))
      .map(([logicalId]) => logicalId);
    logged.templateMatches({
      Resources: { [String(id)]: { Properties: { RetentionInDays: 30 }, DeletionPolicy: 'Delete' } },
    });
  });

  it('takes the logging role of the account over, and leaves it behind, but nothing else', () => {
    const { Resources } = logged.toJSON() as {
      Resources: Record<string, { Type: string; DeletionPolicy?: string }>;
    };
    const retained = Object.values(Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(retained.map(({ Type }) => Type).sort()).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role']);
  });

  it('is counted for refusals by plans and throttles', () => {
    logged.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.gatewayAnswer = "THROTTLED") || ($.gatewayAnswer = "QUOTA_EXCEEDED") }',
      MetricTransformations: [{ MetricNamespace: 'MarketDataProxy/prod', MetricName: 'PlanRefusals' }],
    });
  });
});

describe('the default stage', () => {
  it('has no access log, since that would take a setting of the whole account over', () => {
    unlogged.resourceCountIs('AWS::ApiGateway::Account', 0);
    unlogged.hasResourceProperties('AWS::ApiGateway::Stage', { AccessLogSetting: Match.absent() });
  });
});

describe.each([
  ['dev', unlogged],
  ['prod', logged],
])('the traces and metrics of %s', (stage, template) => {
  it('begin at the API and go on in every function of ours', () => {
    template.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
    const ours = resources(template, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.Description,
    );
    expect(ours.length).toBe(Object.keys(ENVIRONMENT).length);
    for (const [, { Properties }] of ours) {
      expect(Properties).toMatchObject({
        TracingConfig: { Mode: 'Active' },
        Environment: { Variables: { METRICS_NAMESPACE: `MarketDataProxy/${stage}` } },
      });
    }
  });

  it('are of an API with the name of the stack, lest others are added up with it', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { Name: `market-data-proxy-${stage}` });
  });
});
