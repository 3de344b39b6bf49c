import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { ERRORS } from '../../../lambda/contract/errors.ts';
import { methodsOf } from '../../../lambda/contract/route.ts';
import { ROUTES, ROUTES_BY_FUNCTION, type Route } from '../../../lambda/contract/routes.ts';
import { resources, synthesizeStack } from '../../support/stack.ts';
import { NO_EDGE } from '../../support/variants.ts';

const template = synthesizeStack();
const ours = resources(template, 'AWS::Lambda::Function').filter(
  ([, { Properties }]) => Properties.Description,
);

describe('every function', () => {
  it('logs to a group of this stack, which keeps a week', () => {
    expect(ours.length).toBeGreaterThanOrEqual(3);
    for (const [, { Properties }] of ours) {
      const logGroup = (Properties.LoggingConfig as { LogGroup: { Ref: string } }).LogGroup.Ref;
      const groups = Object.fromEntries(resources(template, 'AWS::Logs::LogGroup'));
      expect(groups[logGroup]?.Properties.RetentionInDays).toBe(7);
    }
  });

  it('that reads has GetItem and no other table action', () => {
    for (const { Action } of dynamoDbStatements(/^Read/)) {
      expect([Action].flat()).toEqual(
        expect.arrayContaining([expect.stringMatching(/^dynamodb:(Get|Update)Item$/)]),
      );
      expect([Action].flat()).toHaveLength(1);
    }
  });

  it('that refreshes may read the pointer and write, and nothing else', () => {
    expect(dynamoDbStatements(/^Refresher/).map(({ Action }) => Action)).toEqual([
      ['dynamodb:GetItem', 'dynamodb:PutItem'],
    ]);
  });
});

function dynamoDbStatements(policy: RegExp): { Action: string | string[]; Resource: unknown }[] {
  return resources(template, 'AWS::IAM::Policy')
    .filter(([id]) => policy.test(id))
    .flatMap(([, { Properties }]) => {
      const document = Properties.PolicyDocument as {
        Statement: { Action: string | string[]; Resource: unknown }[];
      };
      return document.Statement.filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:'));
    });
}

describe('the refresh', () => {
  it('is invoked every two minutes, hardly retried, with a queue for what could not be delivered', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: Match.stringLikeRegexp('^cron\\(0,2,4,.*,58 '),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        RetryPolicy: { MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 60 },
        DeadLetterConfig: { Arn: Match.anyValue() },
      },
    });
  });

  it('is not repeated by Lambda, and a failed one leaves a message', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it('runs after a deployment as an event, so that a failed run does not roll the deployment back', () => {
    template.hasResourceProperties('Custom::Trigger', { InvocationType: 'Event' });
  });

  it('is over before the next one is due', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('publishes a snapshot'),
      Timeout: 118,
    });
  });
});

describe('the API', () => {
  const methods = resources(template, 'AWS::ApiGateway::Method').map(([, { Properties }]) => Properties);

  it('requires a key for every method; of preflights only behind an edge, which responds to them itself', () => {
    const bare = resources(synthesizeStack(...NO_EDGE), 'AWS::ApiGateway::Method');
    for (const { HttpMethod, ApiKeyRequired } of methods) {
      expect([HttpMethod, ApiKeyRequired]).toEqual([HttpMethod, true]);
    }
    for (const [, { Properties }] of bare) {
      const { HttpMethod, ApiKeyRequired } = Properties;
      expect([HttpMethod, ApiKeyRequired]).toEqual([HttpMethod, HttpMethod !== 'OPTIONS']);
    }
  });

  it('has every route of the table that has a function, with its methods, ANY and a preflight', () => {
    const routes = Object.values(ROUTES);
    const named = routes.flatMap((route: Route) => methodsOf(route));
    expect(methods).toHaveLength(named.length + 2 * routes.length);
    const parts = resources(template, 'AWS::ApiGateway::Resource').map(
      ([, { Properties }]) => Properties.PathPart,
    );
    const last = routes.map(({ path }) => path.split('/').at(-1));
    expect(last.filter((part) => !parts.includes(part))).toEqual([]);
    const functions = ours.filter(([id]) => id.startsWith('Read'));
    expect(functions).toHaveLength(ROUTES_BY_FUNCTION.size);
  });

  it('compresses, is regional, and writes no body in its own words', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      MinimumCompressionSize: 1_024,
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const responses = resources(template, 'AWS::ApiGateway::GatewayResponse').map(
      ([, { Properties }]) => Properties,
    );
    for (const { ResponseTemplates, ResponseParameters, StatusCode, ResponseType } of responses) {
      const text = (ResponseTemplates as Record<string, string>)['application/json'] ?? '';
      const body = JSON.parse(text.replace('$context.requestId', 'id'));
      expect(Object.keys(body)).toEqual(['error', 'code', 'requestId']);
      const { status } = ERRORS[body.code as keyof typeof ERRORS];
      expect([ResponseType, StatusCode]).toEqual([
        ResponseType,
        ResponseType === 'DEFAULT_4XX' ? undefined : String(status),
      ]);
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        ...(status === 429 ? { 'gatewayresponse.header.Retry-After': "'60'" } : {}),
      });
    }
  });
});
