import { expect, it } from '@jest/globals';
import { readApi } from '../../src/api-gateway/api-definition.ts';
import type { JsonObject } from '../../src/template/json.ts';
import { Stack } from '../../src/template/stack.ts';
import { smallTemplate } from '../small-service.ts';
import { gatewayResponse, PLACE, proxyMethod, ROOT, resource } from '../test-assembly.ts';

function read(overrides: JsonObject) {
  return readApi(new Stack({ template: smallTemplate(overrides), place: PLACE }));
}

const integration = (properties: JsonObject): JsonObject =>
  proxyMethod('GET', ROOT, 'Echo', { Integration: properties });

it('methods, keys, plans and throttles are those of the template', () => {
  const api = read({
    PublicPlan: resource('AWS::ApiGateway::UsagePlan', {
      ApiStages: [
        {
          ApiId: { Ref: 'Api' },
          Stage: { Ref: 'Stage' },
          Throttle: { '/things/GET': { RateLimit: 1, BurstLimit: 2 } },
        },
      ],
      Quota: { Limit: 9, Period: 'DAY' },
    }),
  });
  expect(api.methods.map(({ httpMethod, resource: { path } }) => `${httpMethod} ${path}`)).toEqual([
    'GET /things',
    'HEAD /things',
    'ANY /things',
    'OPTIONS /things',
    'GET /things/{id}',
    'ANY /files/{proxy+}',
    'GET /throttled',
  ]);
  expect(api.plans[0]).toMatchObject({
    throttle: undefined,
    methodThrottles: { '/things/GET': { rateLimit: 1, burstLimit: 2 } },
    quota: { limit: 9, offset: 0, period: 'DAY' },
  });
  expect(api.stage.throttleOf('/throttled', ['GET'])).toEqual({ rateLimit: 1, burstLimit: 2 });
  expect(api.stage.throttleOf('/throttled', ['POST', 'ANY'])).toEqual({ rateLimit: 1000, burstLimit: 1000 });
  expect(api.minimumCompressionSize).toBe(1024);
});

it.each<[string, JsonObject, string]>([
  [
    'an HTTP integration',
    { X: integration({ Type: 'HTTP_PROXY', Uri: 'https://x' }) },
    'X.Integration: the local server does not know the integration HTTP_PROXY',
  ],
  [
    'a mock that computes',
    { X: integration({ Type: 'MOCK', RequestTemplates: { 'application/json': '#if(1){}#end' } }) },
    'X.Integration.RequestTemplates: cannot evaluate',
  ],
  [
    'a mock without its response',
    {
      X: integration({
        Type: 'MOCK',
        RequestTemplates: { 'application/json': '{"statusCode":200}' },
        IntegrationResponses: [{ StatusCode: '500', SelectionPattern: '5..' }],
      }),
    },
    'none is for the status 200',
  ],
  [
    'an authorizer',
    { X: proxyMethod('GET', ROOT, 'Echo', { AuthorizationType: 'AWS_IAM' }) },
    'X.AuthorizationType: the local server does not know AWS_IAM',
  ],
  [
    'a body to validate',
    {
      X: proxyMethod('GET', ROOT, 'Echo', {
        RequestValidatorId: { Ref: 'V' },
        RequestModels: { 'application/json': 'M' },
      }),
      V: resource('AWS::ApiGateway::RequestValidator', { ValidateRequestBody: true }),
    },
    'X.RequestModels: the local server does not validate bodies',
  ],
  [
    'an unknown response of the gateway',
    { X: gatewayResponse('TEAPOT', {}) },
    'X.ResponseType: there is no type TEAPOT',
  ],
  [
    'a response that computes',
    { X: gatewayResponse('THROTTLED', { ResponseTemplates: { 'application/json': '$input.body' } }) },
    'X.ResponseTemplates.application/json: cannot evaluate $input.body',
  ],
  [
    'binary media types',
    { Api: resource('AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['*/*'] }) },
    'Api.BinaryMediaTypes: the local server does not know it',
  ],
  [
    'a second stage',
    { X: resource('AWS::ApiGateway::Stage', { RestApiId: { Ref: 'Api' }, StageName: 'b' }) },
    'Api has 2',
  ],
])('%s is an error at start that names it', (_name, overrides, message) => {
  expect(() => read(overrides)).toThrow(message);
});

it('a mock responds with its template', () => {
  const api = read({
    X: integration({
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode": 200}' },
      IntegrationResponses: [
        { StatusCode: '500', SelectionPattern: '5..' },
        {
          StatusCode: '200',
          ResponseParameters: { 'method.response.header.X-Id': 'context.requestId' },
          ResponseTemplates: { 'application/json': '{"openapi":"3.1.0","$ref":"#/x"}' },
        },
      ],
    }),
  });
  const mock = api.methods.find(({ resource: { path } }) => path === '/')?.integration;
  expect(mock?.kind === 'mock' && mock.respond(() => 'id-1')).toEqual({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Id', 'id-1'],
    ],
    body: '{"openapi":"3.1.0","$ref":"#/x"}',
  });
});
