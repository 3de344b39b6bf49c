import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS, GATEWAY_ERRORS, type GatewayErrorType, NOT_FOUND_HTML } from '../../../lambda/core/contract/errors.ts';
import { functionOf, ROUTES, type Route, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../../lambda/core/contract/route-type.ts';
import { UPSTREAMS } from '../../../lambda/io/upstream/upstreams.ts';
import { functionId, only, resources, type Template, template } from '../templates.ts';

const dev = template('dev');
const noEdge = template('noEdge');
/** The rate limits of docs/upstream.md: calls in 10 s. */
const UPSTREAM_LIMITS =
  readFileSync(new URL('../../../docs/upstream.md', import.meta.url), 'utf8').split('## Rate limits')[1] ?? '';
const numberOf = (text: string) => Number(text.replaceAll(',', ''));
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

/** The methods that a route must have besides ANY: those with a throttle. */
function expectedMethods({ source, path, limited, method }: Route): readonly string[] {
  const live = source === 'clob' ? ['GET', 'HEAD'] : method === 'POST' ? ['POST'] : [];
  const named = limited ? live : ['GET', 'HEAD', 'POST'];
  return [...named, 'ANY'].map((method) => `${method} ${path}`);
}

describe('the API', () => {
  it('has the methods of the route table and no others', () => {
    const expected = ROUTE_NAMES.flatMap((name) => expectedMethods(ROUTES[name]));
    const actual = methodsOfTemplate(dev).map(({ method, path }) => `${method} ${path}`);
    expect(actual.toSorted()).toEqual(expected.toSorted());
  });

  it('leads each path to the function of its route', () => {
    for (const { path, integration } of methodsOfTemplate(dev)) {
      const name = ROUTE_NAMES.find((route) => ROUTES[route].path === path);
      if (!name) throw new Error(`There is no route ${path}`);
      expect(JSON.stringify(integration)).toMatch(new RegExp(`"${functionId(functionOf(name))}[0-9A-F]{8}"`));
    }
  });

  it('responds to preflights without a key where no edge does, and has no page there', () => {
    const methods = methodsOfTemplate(noEdge);
    expect(methods.filter(({ needsKey }) => !needsKey).every(({ method }) => method === 'OPTIONS')).toBe(true);
    const deployed = ROUTE_NAMES.filter((name) => !isPageRoute(ROUTES[name]));
    expect(methods.filter(({ method }) => method === 'OPTIONS')).toHaveLength(deployed.length);
    expect(methods.map(({ path }) => path)).not.toContain('/docs');
    const mcp = methods.find(({ path, method }) => path === '/mcp' && method === 'OPTIONS');
    expect(JSON.stringify(mcp?.integration)).toContain("'POST,OPTIONS'");
    expect(JSON.stringify(mcp?.integration)).toMatch(/Allow-Headers":"'\*'".*Allow-Origin":"'\*'"/);
    const preflights = [...settingsOf(noEdge)].filter(([method]) => method.startsWith('OPTIONS '));
    expect(preflights).toHaveLength(deployed.length);
    // They need no key, so no plan bounds them.
    for (const [, throttle] of preflights)
      expect(throttle).toMatchObject({ ThrottlingRateLimit: 5, ThrottlingBurstLimit: 50 });
  });
});

interface MethodSetting {
  readonly ResourcePath: string;
  readonly HttpMethod: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
  readonly MetricsEnabled: boolean;
}

function settingsOf(from: Template): ReadonlyMap<string, MethodSetting> {
  const [, { Properties }] = only(from, 'AWS::ApiGateway::Stage');
  const settings = Properties.MethodSettings as MethodSetting[];
  return new Map(
    settings.map((each) => [`${each.HttpMethod} ${each.ResourcePath.replaceAll('~1', '/').replace('//', '/')}`, each]),
  );
}

describe('the throttles', () => {
  const settings = settingsOf(dev);

  it('are of methods that exist', () => {
    const methods = methodsOfTemplate(dev).map(({ method, path }) => `${method} ${path}`);
    expect([...settings.keys()].filter((key) => key !== '* /*' && !methods.includes(key))).toEqual([]);
  });

  /** The API's methods that call each route of CLOB. MCP calls it for two of its tools. */
  const CALLERS = {
    book: ['order-book', 'book', 'mcp'],
    books: ['order-books'],
    'prices-history': ['prices-history', 'mcp'],
    'batch-prices-history': ['prices-history', 'prices-histories'],
  };
  const LIMITS = new Map(
    [...UPSTREAM_LIMITS.matchAll(/([\d,]+) `\/([a-z-]+)`/g)].map(([, calls = '', route = '']) => [
      route,
      numberOf(calls),
    ]),
  );
  const callsIn10Seconds = (paths: readonly string[]) =>
    [...settings]
      .filter(([method]) => paths.some((path) => method.endsWith(`/${path}`)))
      .reduce(
        (sum, [, { ThrottlingBurstLimit, ThrottlingRateLimit }]) =>
          sum + ThrottlingBurstLimit + 10 * ThrottlingRateLimit,
        0,
      );

  it.each(Object.entries(CALLERS))('admit at most half of what CLOB documents: %s', (route, paths) => {
    const [, all = ''] = /CLOB:.*?([\d,]+) in all/.exec(UPSTREAM_LIMITS) ?? [];
    // Single markets read a book after two calls of Gamma, whose shared budget bounds them.
    const lookups = route === 'book' ? UPSTREAMS.gamma.routes['markets-keyset'].callsPer10Seconds / 2 : 0;
    const calls = callsIn10Seconds(paths) + lookups;
    expect(calls).toBeGreaterThan(200);
    expect(calls).toBeLessThanOrEqual((LIMITS.get(route) ?? numberOf(all)) / 2);
  });

  it('exist for each method that calls CLOB', () => {
    const live = ROUTE_NAMES.filter((name) => ROUTES[name].source === 'clob').map((name) => ROUTES[name].path);
    const methods = [...live.flatMap((path) => [`GET ${path}`, `HEAD ${path}`]), 'POST /mcp'];
    const called = new Set(Object.values(CALLERS).flat());
    for (const method of methods) {
      expect(settings.get(method)?.ThrottlingRateLimit).toBeLessThan(25);
      expect([...called].some((path) => method.endsWith(`/${path}`))).toBe(true);
    }
  });

  it('give each method of the page half of the public plan: 30 visitors at once, or ten a second, get the page', () => {
    const page = ROUTE_NAMES.filter((name) => isPageRoute(ROUTES[name])).map((name) => ROUTES[name].path);
    expect(page.length).toBeGreaterThanOrEqual(3);
    for (const method of page.flatMap((path) => ['GET', 'HEAD', 'POST'].map((one) => `${one} ${path}`))) {
      expect(settings.get(method)).toMatchObject({ ThrottlingRateLimit: 10, ThrottlingBurstLimit: 100 });
    }
  });

  it('let partners in while the public plan is exhausted', () => {
    expect(settings.get('* /*')).toMatchObject({ ThrottlingRateLimit: 40, ThrottlingBurstLimit: 200 });
    // Detailed metrics cost 0.30 USD a month each.
    for (const each of settings.values()) expect(each.MetricsEnabled).toBe(false);
  });
});

interface ApiStage {
  readonly Throttle: Readonly<Record<string, { readonly RateLimit: number; readonly BurstLimit: number }>>;
}

describe('the usage plans', () => {
  const [everyone, partners] = resources(dev, 'AWS::ApiGateway::UsagePlan').map(([, { Properties }]) => Properties);

  it('limit all anonymous callers together, and each partner', () => {
    const daily = { Limit: 432_000, Period: 'DAY' };
    expect(everyone).toMatchObject({ Throttle: { RateLimit: 20, BurstLimit: 200 }, Quota: daily });
    const monthly = { Limit: 100_000, Period: 'MONTH' };
    expect(partners).toMatchObject({ Throttle: { RateLimit: 10, BurstLimit: 20 }, Quota: monthly });
  });

  it('leave a part of the public plan that free endpoints cannot use up', () => {
    const [stage] = (everyone?.ApiStages ?? []) as readonly ApiStage[];
    const throttles = Object.entries(stage?.Throttle ?? {});
    const methods = throttles.map(([method]) => method);
    const free = ROUTE_NAMES.filter((name) => !ROUTES[name].limited && !isPageRoute(ROUTES[name]));
    // API Gateway rejects throttles of the method ANY in a stage; nothing says that a plan accepts them.
    const expected = free.flatMap((name) => ['GET', 'HEAD', 'POST'].map((method) => `${ROUTES[name].path}/${method}`));
    expect(methods.toSorted()).toEqual(expected.toSorted());
    const rate = throttles.reduce((sum, [, { RateLimit }]) => sum + RateLimit, 0);
    const burst = throttles.reduce((sum, [, { BurstLimit }]) => sum + BurstLimit, 0);
    expect(rate).toBeLessThanOrEqual(20 * 0.6);
    expect(burst).toBeLessThanOrEqual(200 * 0.6);
  });
});

it('the public key has a value that Secrets Manager generates and that is in no template', () => {
  const [secretId, { Properties }] = only(dev, 'AWS::SecretsManager::Secret');
  expect(Properties.GenerateSecretString).toEqual({ PasswordLength: 40, ExcludePunctuation: true });
  const [, key] = only(dev, 'AWS::ApiGateway::ApiKey');
  const reference = `{{resolve:secretsmanager:",{"Ref":"${secretId}"},":SecretString:::}}`;
  expect(JSON.stringify(key.Properties.Value)).toContain(reference);
});

it('compresses responses, which the costs assume', () => {
  expect(only(dev, 'AWS::ApiGateway::RestApi')[1].Properties.MinimumCompressionSize).toBe(1_024);
});

it('only the API of the page has pictures, which API Gateway decodes for every caller', () => {
  const typesOf = (of: Template) => only(of, 'AWS::ApiGateway::RestApi')[1].Properties.BinaryMediaTypes;
  expect([typesOf(dev), typesOf(noEdge)]).toEqual([['*/*'], undefined]);
});

describe("API Gateway's own responses", () => {
  const responses = new Map(
    resources(dev, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
      Properties.ResponseType as GatewayErrorType,
      Properties,
    ]),
  );

  it.each(Object.entries(GATEWAY_ERRORS))('have the error body and headers: %s', (type, { code, error }) => {
    const { StatusCode, ResponseParameters, ResponseTemplates } = responses.get(type as GatewayErrorType) ?? {};
    const { status } = ERRORS[code];
    // A status of DEFAULT_4XX would replace that of every 4xx.
    expect(StatusCode).toBe(type === 'DEFAULT_4XX' ? undefined : String(status));
    const templates = ResponseTemplates as Record<string, string>;
    const body = { error, code, requestId: '$context.requestId' };
    expect(JSON.parse(templates['application/json'] ?? '')).toEqual(body);
    // Without a type of its own, the response has that of the template which the caller accepts.
    const isPage = code === 'not_found';
    expect(templates['text/html']).toBe(isPage ? NOT_FOUND_HTML : undefined);
    const header = (name: string) => (ResponseParameters as Record<string, string>)[`gatewayresponse.header.${name}`];
    expect(header('Content-Type')).toBe(isPage ? undefined : "'application/json; charset=utf-8'");
    expect(header('Cache-Control')).toBe("'no-store'");
    expect(header('X-Request-Id')).toBe('context.requestId');
    expect(header('Retry-After')).toBe(code === 'quota_exceeded' ? "'3600'" : status === 429 ? "'60'" : undefined);
  });
});

describe('the access log', () => {
  it('is written in production only, without addresses and queries', () => {
    const [, stage] = only(template('prod'), 'AWS::ApiGateway::Stage');
    const { Format } = stage.Properties.AccessLogSetting as { Format: string };
    expect(JSON.parse(Format)).toHaveProperty('requestId');
    expect(Format).not.toMatch(/sourceIp|querystring|userAgent|apiKey"/);
    expect(only(dev, 'AWS::ApiGateway::Stage')[1].Properties.AccessLogSetting).toBeUndefined();
  });
});
