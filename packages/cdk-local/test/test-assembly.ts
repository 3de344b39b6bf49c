// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation's own placeholders
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assembly } from '../src/template/assembly.ts';
import type { Json, JsonObject } from '../src/template/json.ts';

export const PLACE = { stackName: 'test', region: 'eu-west-1', account: '111122223333' };

/** An assembly without synthesis. `bundles` are modules by S3 key without `.zip`. */
export function testAssembly(
  template: JsonObject,
  bundles: Readonly<Record<string, string>> = {},
): Assembly & { dispose(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'local-test-'));
  for (const [key, source] of Object.entries(bundles)) {
    mkdirSync(join(directory, key));
    writeFileSync(join(directory, key, 'index.mjs'), source);
  }
  return {
    template,
    place: PLACE,
    bundleFolder: (s3Key) => join(directory, s3Key.replace(/\.zip$/, '')),
    dispose: () => rmSync(directory, { recursive: true }),
  };
}

export function resource(type: string, properties: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  return { Type: type, Properties: properties, ...rest };
}

export function lambda(key: string, properties: JsonObject = {}): JsonObject {
  return resource('AWS::Lambda::Function', {
    Code: { S3Bucket: { 'Fn::Sub': 'assets-${AWS::Region}' }, S3Key: `${key}.zip` },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    MemorySize: 128,
    Timeout: 3,
    ...properties,
  });
}

/** A method of the API `Api`. @param target logical id of its function */
export function proxyMethod(
  httpMethod: string,
  resourceId: Json,
  target: string,
  properties: JsonObject = {},
): JsonObject {
  return resource('AWS::ApiGateway::Method', {
    RestApiId: { Ref: 'Api' },
    ResourceId: resourceId,
    HttpMethod: httpMethod,
    AuthorizationType: 'NONE',
    Integration: {
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
      Uri: {
        'Fn::Join': [
          '',
          [
            'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/',
            { 'Fn::GetAtt': [target, 'Arn'] },
            '/invocations',
          ],
        ],
      },
    },
    ...properties,
  });
}

/** A preflight as the CDK writes it. */
export function preflight(resourceId: Json, headers: Readonly<Record<string, string>>): JsonObject {
  return resource('AWS::ApiGateway::Method', {
    RestApiId: { Ref: 'Api' },
    ResourceId: resourceId,
    HttpMethod: 'OPTIONS',
    AuthorizationType: 'NONE',
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
      IntegrationResponses: [
        {
          StatusCode: '204',
          ResponseParameters: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
          ),
        },
      ],
    },
  });
}

export function apiResource(parent: Json, pathPart: string): JsonObject {
  return resource('AWS::ApiGateway::Resource', {
    RestApiId: { Ref: 'Api' },
    ParentId: parent,
    PathPart: pathPart,
  });
}

export const ROOT: Json = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

export function gatewayResponse(type: string, properties: JsonObject): JsonObject {
  return resource('AWS::ApiGateway::GatewayResponse', {
    RestApiId: { Ref: 'Api' },
    ResponseType: type,
    ...properties,
  });
}
