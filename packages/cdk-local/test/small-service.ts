import type { JsonObject } from '../src/index.ts';
import {
  apiResource,
  gatewayResponse,
  lambda,
  preflight,
  proxyMethod,
  ROOT,
  resource,
} from './test-assembly.ts';

/** Responds with what it was given; `?response=` (JSON) replaces that. */
export const ECHO = `
export const handler = async (event, context) => {
  if (event.invoked) return { event, context, env: process.env, remaining: context.getRemainingTimeInMillis() };
  const { response, size, sleep } = event.queryStringParameters ?? {};
  if (sleep) await new Promise((resolve) => setTimeout(resolve, Number(sleep)));
  if (response) return JSON.parse(response);
  if (size) return { statusCode: 200, headers: { 'Content-Type': 'text/plain', ETag: 'W/"1"' }, body: 'x'.repeat(Number(size)) };
  return { statusCode: 200, headers: { 'X-One': '1' }, multiValueHeaders: { 'X-Many': ['a', 'b'] }, body: JSON.stringify(event) };
};`;

/** Logs, writes a metric and counts its runs; a run whose environment says so fails. */
export const REFRESH = `
let runs = 0;
export const handler = async (event) => {
  runs += 1;
  console.log(JSON.stringify({ level: 'INFO', message: 'Snapshot published', service: 's', timestamp: 't', markets: runs }));
  console.log(JSON.stringify({ _aws: { Timestamp: 1 }, Markets: runs }));
  if (process.env.FAIL === 'yes') throw new Error('the upstream is down');
  return { runs, event };
};`;

export const BUNDLES = { echo: ECHO, refresh: REFRESH };

const KEYED = { ApiKeyRequired: true };
const SECRET_VALUE = {
  'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, ':SecretString:public::}}']],
};

/** A stack with everything that the server reads. Two of its limits are low: `/throttled` of the stage, the key `partner`. */
export function smallTemplate(overrides: JsonObject = {}): JsonObject {
  return {
    Parameters: { BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk' } },
    Resources: {
      Table: resource('AWS::DynamoDB::Table', {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      }),
      Secret: resource('AWS::SecretsManager::Secret', {
        GenerateSecretString: {
          SecretStringTemplate: '{}',
          GenerateStringKey: 'public',
          ExcludePunctuation: true,
        },
      }),
      Echo: lambda('echo', {
        MemorySize: 256,
        Timeout: 1,
        Environment: { Variables: { TABLE: { Ref: 'Table' }, LIMIT: '60' } },
      }),
      Refresh: lambda('refresh', { Environment: { Variables: { FAIL: 'no' } } }),
      RefreshAsync: resource('AWS::Lambda::EventInvokeConfig', {
        FunctionName: { Ref: 'Refresh' },
        MaximumRetryAttempts: 0,
      }),
      Schedule: resource('AWS::Scheduler::Schedule', {
        ScheduleExpression: 'rate(2 minutes)',
        State: 'ENABLED',
        Target: {
          Arn: { 'Fn::GetAtt': ['Refresh', 'Arn'] },
          Input: '{"at":"<aws.scheduler.scheduled-time>"}',
        },
      }),
      Api: resource('AWS::ApiGateway::RestApi', { MinimumCompressionSize: 1024 }),
      Stage: resource('AWS::ApiGateway::Stage', {
        RestApiId: { Ref: 'Api' },
        StageName: 'dev',
        MethodSettings: [
          { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 },
          {
            HttpMethod: 'GET',
            ResourcePath: '/~1throttled',
            ThrottlingRateLimit: 1,
            ThrottlingBurstLimit: 2,
          },
        ],
      }),
      Validator: resource('AWS::ApiGateway::RequestValidator', { ValidateRequestParameters: true }),
      ThingsResource: apiResource(ROOT, 'things'),
      ThingResource: apiResource({ Ref: 'ThingsResource' }, '{id}'),
      FilesResource: apiResource(ROOT, 'files'),
      AnyFileResource: apiResource({ Ref: 'FilesResource' }, '{proxy+}'),
      ThrottledResource: apiResource(ROOT, 'throttled'),
      Things: proxyMethod('GET', { Ref: 'ThingsResource' }, 'Echo', KEYED),
      ThingsHead: proxyMethod('HEAD', { Ref: 'ThingsResource' }, 'Echo', KEYED),
      ThingsAny: proxyMethod('ANY', { Ref: 'ThingsResource' }, 'Echo', KEYED),
      ThingsPreflight: preflight({ Ref: 'ThingsResource' }, { 'Access-Control-Allow-Origin': '*' }),
      Thing: proxyMethod('GET', { Ref: 'ThingResource' }, 'Echo', {
        ...KEYED,
        RequestValidatorId: { Ref: 'Validator' },
        RequestParameters: {
          'method.request.querystring.q': true,
          'method.request.header.X-Optional': false,
        },
      }),
      AnyFile: proxyMethod('ANY', { Ref: 'AnyFileResource' }, 'Echo', KEYED),
      Throttled: proxyMethod('GET', { Ref: 'ThrottledResource' }, 'Echo', KEYED),
      PublicKey: resource('AWS::ApiGateway::ApiKey', { Enabled: true, Value: SECRET_VALUE }),
      PartnerKey: resource('AWS::ApiGateway::ApiKey', {
        Enabled: true,
        Name: 'partner',
        Value: 'partner-key-0123456789',
      }),
      PublicPlan: plan({ RateLimit: 1000, BurstLimit: 1000 }),
      PartnerPlan: plan({ RateLimit: 10, BurstLimit: 10 }, { Quota: { Limit: 3, Period: 'MONTH' } }),
      PublicLink: planKey('PublicPlan', 'PublicKey'),
      PartnerLink: planKey('PartnerPlan', 'PartnerKey'),
      Door: resource('AWS::CloudFront::Distribution', {
        DistributionConfig: {
          Origins: [{ OriginCustomHeaders: [{ HeaderName: 'x-api-key', HeaderValue: SECRET_VALUE }] }],
        },
      }),
      Missing: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        StatusCode: '404',
        ResponseParameters: {
          'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
          'gatewayresponse.header.X-Request-Id': 'context.requestId',
        },
        ResponseTemplates: {
          'application/json': '{"error":$context.error.messageString,"requestId":"$context.requestId"}',
        },
      }),
      Default4xx: gatewayResponse('DEFAULT_4XX', {
        ResponseParameters: { 'gatewayresponse.header.Cache-Control': "'no-store'" },
      }),
      Default5xx: gatewayResponse('DEFAULT_5XX', {
        StatusCode: '500',
        ResponseTemplates: { 'application/json': '{"code":"$context.error.responseType"}' },
      }),
      ...overrides,
    },
    Outputs: { PublicApiKeyId: { Value: { Ref: 'PublicKey' } } },
  };
}

function plan(throttle: JsonObject, rest: JsonObject = {}): JsonObject {
  return resource('AWS::ApiGateway::UsagePlan', {
    ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' }, Throttle: {} }],
    Throttle: throttle,
    ...rest,
  });
}

function planKey(planId: string, keyId: string): JsonObject {
  return resource('AWS::ApiGateway::UsagePlanKey', {
    KeyId: { Ref: keyId },
    KeyType: 'API_KEY',
    UsagePlanId: { Ref: planId },
  });
}
