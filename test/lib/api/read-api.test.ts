/**
 * The REST API of API Gateway. It has a method for each route of the service, requires an API key,
 * and throttles requests. Callers send no key: CloudFront ("the edge") adds the public key. A stage
 * without an edge (`noEdge`) is called with a key.
 */
import { describe, expect, it } from '@jest/globals';
import { functionOf, ROUTES, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../../lambda/core/contract/route-type.ts';
import { functionId, only, propertiesOf, type Template, template } from '../templates.ts';

const dev = template('dev');
const noEdge = template('noEdge');
const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

/** The path of a resource of the API, which names its parent and its last part; '' for the root. */
function pathOf(from: Template, reference: unknown): string {
  const id = (reference as { Ref?: string }).Ref;
  const resource = id === undefined ? undefined : from.Resources[id];
  if (!resource) return '';
  return `${pathOf(from, resource.Properties.ParentId)}/${resource.Properties.PathPart}`;
}

/** The methods of the API. An integration names the function that a method invokes. */
function methodsOfTemplate(from: Template) {
  return propertiesOf(from, 'AWS::ApiGateway::Method').map((method) => ({
    path: pathOf(from, method.ResourceId) || '/',
    method: String(method.HttpMethod),
    needsKey: method.ApiKeyRequired === true,
    integration: method.Integration,
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

  it('responds to preflights itself without an edge, and only these need no key', () => {
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

it('all methods have a throttle of twice the public plan, which leaves partners room', () => {
  for (const from of [dev, noEdge]) {
    const { properties } = only(from, 'AWS::ApiGateway::Stage');
    expect(properties.MethodSettings).toEqual([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        // In requests per second.
        ThrottlingRateLimit: 2 * 20,
        ThrottlingBurstLimit: 2 * 600,
        // Detailed metrics cost 0.30 USD a month each.
        MetricsEnabled: false,
        DataTraceEnabled: false,
      },
    ]);
  }
});

it('the usage plans limit all anonymous callers together, and each partner [sentence 40]', () => {
  const [publicPlan, partnerPlan] = propertiesOf(dev, 'AWS::ApiGateway::UsagePlan');
  expect(publicPlan?.Throttle).toEqual({ RateLimit: 20, BurstLimit: 600 });
  // A daily quota would lock everybody out until midnight.
  expect(publicPlan).not.toHaveProperty('Quota');
  expect(partnerPlan).toMatchObject({
    Throttle: { RateLimit: 10, BurstLimit: 20 },
    Quota: { Limit: 100_000, Period: 'MONTH' },
  });
});

it('the public key has a value that Secrets Manager generates and that is in no template', () => {
  const { id: secretId, properties: secret } = only(dev, 'AWS::SecretsManager::Secret');
  expect(secret.GenerateSecretString).toEqual({ PasswordLength: 40, ExcludePunctuation: true });
  const { properties: key } = only(dev, 'AWS::ApiGateway::ApiKey');
  const reference = `{{resolve:secretsmanager:",{"Ref":"${secretId}"},":SecretString:::}}`;
  expect(JSON.stringify(key.Value)).toContain(reference);
});

it('the API is regional, because an edge of API Gateway would be a second one', () => {
  expect(only(dev, 'AWS::ApiGateway::RestApi').properties).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
    // In bytes.
    MinimumCompressionSize: 1_024,
  });
});

// API Gateway decodes the base64 of a function's binary response, such as a picture of the page.
it('the API has binary responses only with an edge, because only then it has the page', () => {
  const typesOf = (of: Template) =>
    only(of, 'AWS::ApiGateway::RestApi').properties.BinaryMediaTypes;
  expect(typesOf(dev)).toEqual(['*/*']);
  expect(typesOf(noEdge)).toBeUndefined();
});

// API Gateway sends these when it rejects a request or when the function fails.
describe("API Gateway's own responses", () => {
  const responses = new Map(
    propertiesOf(dev, 'AWS::ApiGateway::GatewayResponse').map((response) => [
      response.ResponseType,
      response,
    ]),
  );

  const NO_PATH = /^This path does not exist; \/openapi\.json lists /;
  const NO_KEY = /^Call the public address, or send a valid key in x-api-key\.$/;
  const LARGER_QUOTA = /ask the operator for a larger one\.$/;
  const WAIT = /wait 60 seconds and try again\.$/;
  const TRY_AGAIN = /^The service failed to respond; try again in a moment\.$/;

  it.each([
    { type: 'MISSING_AUTHENTICATION_TOKEN', status: '404', code: 'not_found', error: NO_PATH },
    { type: 'RESOURCE_NOT_FOUND', status: '404', code: 'not_found', error: NO_PATH },
    { type: 'INVALID_API_KEY', status: '403', code: 'missing_api_key', error: NO_KEY },
    { type: 'THROTTLED', status: '429', code: 'rate_limited', error: WAIT },
    { type: 'QUOTA_EXCEEDED', status: '429', code: 'quota_exceeded', error: LARGER_QUOTA },
    // One of these two is the response if Lambda is at its concurrency limit.
    { type: 'API_CONFIGURATION_ERROR', status: '500', code: 'internal_error', error: WAIT },
    { type: 'INTEGRATION_FAILURE', status: '500', code: 'internal_error', error: WAIT },
    { type: 'INTEGRATION_TIMEOUT', status: '500', code: 'internal_error', error: TRY_AGAIN },
    { type: 'DEFAULT_5XX', status: '500', code: 'internal_error', error: TRY_AGAIN },
    // Has no status, because its status would replace that of every 4xx.
    { type: 'DEFAULT_4XX', code: 'bad_request', error: /^The request is malformed; / },
  ])('have the error body and headers: $type', ({ type, status, code, error }) => {
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
    const hasRetryAfter = error === WAIT || error === LARGER_QUOTA;
    expect(header('Retry-After')).toBe(hasRetryAfter ? "'60'" : undefined);
  });
});

it('the access log is written in production only, without addresses and queries', () => {
  const { properties: stage } = only(template('prod'), 'AWS::ApiGateway::Stage');
  const { Format } = stage.AccessLogSetting as { Format: string };
  // A bare number, so that a metric can add it up.
  const line = JSON.parse(Format.replace('$context.responseLength', '1'));
  expect(line).toMatchObject({ requestId: '$context.requestId', responseBytes: 1 });
  expect(Format).not.toMatch(/sourceIp|querystring|userAgent|apiKey"/);
  expect(only(dev, 'AWS::ApiGateway::Stage').properties).not.toHaveProperty('AccessLogSetting');
});
