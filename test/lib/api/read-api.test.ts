import { describe, expect, it } from '@jest/globals';
import { functionOf, ROUTES, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../../lambda/core/contract/route-type.ts';
import { functionId, only, resources, type Template, template } from '../templates.ts';

const dev = template('dev');
const noEdge = template('noEdge');
const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

/** The path of a resource of the API. */
function pathOf(from: Template, resourceId: unknown): string {
  const id = (resourceId as { Ref?: string }).Ref;
  const resource = id === undefined ? undefined : from.Resources[id];
  if (!resource) return '';
  return `${pathOf(from, resource.Properties.ParentId)}/${resource.Properties.PathPart}`;
}

function methodsOfTemplate(from: Template) {
  return resources(from, 'AWS::ApiGateway::Method').map(([, { Properties }]) => ({
    path: pathOf(from, Properties.ResourceId) || '/',
    method: String(Properties.HttpMethod),
    needsKey: Properties.ApiKeyRequired === true,
    integration: Properties.Integration,
  }));
}

describe('the API', () => {
  it('has one method for each route, which needs a key, and no others [sentence 40]', () => {
    const methods = methodsOfTemplate(dev);
    const paths = ROUTE_NAMES.map((name) => `ANY ${ROUTES[name].path}`);
    expect(methods.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      paths.toSorted(),
    );
    expect(methods.filter(({ needsKey }) => !needsKey)).toEqual([]);
  });

  it('leads each path to the function of its route [sentence 41]', () => {
    for (const { path, integration } of methodsOfTemplate(dev)) {
      const name = ROUTE_NAMES.find((route) => ROUTES[route].path === path);
      if (!name) throw new Error(`There is no route ${path}`);
      expect(JSON.stringify(integration)).toMatch(
        new RegExp(`"${functionId(functionOf(name))}[0-9A-F]{8}"`),
      );
    }
  });

  it('has no page where there is no edge', () => {
    expect(methodsOfTemplate(noEdge).map(({ path }) => path)).not.toContain('/docs');
  });

  it('responds to preflights without a key where no edge does', () => {
    const methods = methodsOfTemplate(noEdge);
    const preflights = methods.filter(({ method }) => method === 'OPTIONS');
    expect(methods.filter(({ needsKey }) => !needsKey)).toEqual(preflights);
    const deployed = ROUTE_NAMES.filter((name) => !isPageRoute(ROUTES[name]));
    expect(preflights).toHaveLength(deployed.length);
    const ofMcp = JSON.stringify(preflights.find(({ path }) => path === '/mcp')?.integration);
    expect(ofMcp).toContain("'POST,OPTIONS'");
    expect(ofMcp).toMatch(/Allow-Headers":"'\*'".*Allow-Origin":"'\*'"/);
  });
});

it('one throttle holds for each method, which leaves partners room beside the public plan', () => {
  for (const from of [dev, noEdge]) {
    const [, { Properties }] = only(from, 'AWS::ApiGateway::Stage');
    expect(Properties.MethodSettings).toEqual([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: 40,
        ThrottlingBurstLimit: 1200,
        // Detailed metrics cost 0.30 USD a month each.
        MetricsEnabled: false,
        DataTraceEnabled: false,
      },
    ]);
  }
});

const [everyone, partners] = resources(dev, 'AWS::ApiGateway::UsagePlan').map(
  ([, { Properties }]) => Properties,
);

it('the usage plans limit all anonymous callers together, and each partner [sentence 40]', () => {
  expect(everyone?.Throttle).toEqual({ RateLimit: 20, BurstLimit: 600 });
  // A daily quota would lock everybody out until midnight.
  expect(everyone).not.toHaveProperty('Quota');
  const monthly = { Limit: 100_000, Period: 'MONTH' };
  expect(partners).toMatchObject({ Throttle: { RateLimit: 10, BurstLimit: 20 }, Quota: monthly });
});

it('the public key has a value that Secrets Manager generates and that is in no template', () => {
  const [secretId, { Properties }] = only(dev, 'AWS::SecretsManager::Secret');
  expect(Properties.GenerateSecretString).toEqual({ PasswordLength: 40, ExcludePunctuation: true });
  const [, key] = only(dev, 'AWS::ApiGateway::ApiKey');
  const reference = `{{resolve:secretsmanager:",{"Ref":"${secretId}"},":SecretString:::}}`;
  expect(JSON.stringify(key.Properties.Value)).toContain(reference);
});

it('the API is regional, because an edge of its own would be a second one', () => {
  expect(only(dev, 'AWS::ApiGateway::RestApi')[1].Properties).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
    MinimumCompressionSize: 1_024,
  });
});

it('only the API of the page has pictures, which API Gateway decodes for every caller', () => {
  const typesOf = (of: Template) =>
    only(of, 'AWS::ApiGateway::RestApi')[1].Properties.BinaryMediaTypes;
  expect(typesOf(dev)).toEqual(['*/*']);
  expect(typesOf(noEdge)).toBeUndefined();
});

describe("API Gateway's own responses", () => {
  const responses = new Map(
    resources(dev, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
      String(Properties.ResponseType),
      Properties,
    ]),
  );

  it.each([
    [
      'MISSING_AUTHENTICATION_TOKEN',
      '404',
      'not_found',
      /^This path does not exist; \/openapi\.json lists /,
    ],
    ['RESOURCE_NOT_FOUND', '404', 'not_found', /^This path does not exist; \/openapi\.json lists /],
    [
      'INVALID_API_KEY',
      '403',
      'missing_api_key',
      /^Call the public address, or send a valid key in x-api-key\.$/,
    ],
    ['THROTTLED', '429', 'rate_limited', /wait 60 seconds and try again\.$/],
    ['QUOTA_EXCEEDED', '429', 'quota_exceeded', /ask the operator for a larger one\.$/],
    // Lambda at its concurrency limit has one of these.
    ['API_CONFIGURATION_ERROR', '500', 'internal_error', /wait 60 seconds and try again\.$/],
    ['INTEGRATION_FAILURE', '500', 'internal_error', /wait 60 seconds and try again\.$/],
    [
      'INTEGRATION_TIMEOUT',
      '500',
      'internal_error',
      'The service failed to respond; try again in a moment.',
    ],
    [
      'DEFAULT_5XX',
      '500',
      'internal_error',
      'The service failed to respond; try again in a moment.',
    ],
    // A status would replace that of every 4xx.
    ['DEFAULT_4XX', undefined, 'bad_request', /^The request is malformed; /],
  ])('have the error body and headers: %s', (type, status, code, error) => {
    const { StatusCode, ResponseParameters, ResponseTemplates } = responses.get(type) ?? {};
    expect(StatusCode).toBe(status);
    const templates = ResponseTemplates as Record<string, string>;
    const body = { error: expect.stringMatching(error), code, requestId: '$context.requestId' };
    expect(JSON.parse(templates['application/json'] ?? '')).toEqual(body);
    const header = (name: string) =>
      (ResponseParameters as Record<string, string>)[`gatewayresponse.header.${name}`];
    expect(header('Content-Type')).toBe("'application/json; charset=utf-8'");
    expect(header('Cache-Control')).toBe("'no-store'");
    expect(header('X-Request-Id')).toBe('context.requestId');
    const waits = ['THROTTLED', 'QUOTA_EXCEEDED', 'API_CONFIGURATION_ERROR', 'INTEGRATION_FAILURE'];
    expect(header('Retry-After')).toBe(waits.includes(type) ? "'60'" : undefined);
  });
});

it('the access log is written in production only, without addresses and queries', () => {
  const [, stage] = only(template('prod'), 'AWS::ApiGateway::Stage');
  const { Format } = stage.Properties.AccessLogSetting as { Format: string };
  // A bare number, so that a metric can add it up.
  const line = JSON.parse(Format.replace('$context.responseLength', '1'));
  expect(line).toMatchObject({ requestId: '$context.requestId', responseBytes: 1 });
  expect(Format).not.toMatch(/sourceIp|querystring|userAgent|apiKey"/);
  expect(only(dev, 'AWS::ApiGateway::Stage')[1].Properties.AccessLogSetting).toBeUndefined();
});
