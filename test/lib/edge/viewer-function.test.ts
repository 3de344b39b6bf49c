/**
 * The viewer function is JavaScript that CloudFront runs for each request of a caller ("viewer"). It
 * passes a request on to the API with the viewer's address in headers, or responds itself: to
 * preflights, to browsers at a wrong address, and to requests that no endpoint accepts. The tests
 * run the code that the template has.
 */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { ROUTES } from '../../../lambda/core/contract/route-table.ts';
import { limitedAddress } from '../../../lambda/http/caller.ts';
import { apiEvent } from '../../support/api-event.ts';
import { only, template } from '../templates.ts';

interface ViewerRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: object;
}

/** A request that goes on to the API, or a response, which has a body. */
interface ViewerResult {
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body: string;
}

const { properties } = only(template('dev'), 'AWS::CloudFront::Function');
/** The function. It gets and returns JSON, because objects of another context are never equal. */
const handle: (event: string) => string = runInNewContext(
  `${properties.FunctionCode}; (event) => JSON.stringify(handler(JSON.parse(event)))`,
);

function run(request: ViewerRequest, ip = '2001:db8::1'): ViewerResult {
  const context = { requestId: 'edge-1', distributionDomainName: 'd111111abcdef8.cloudfront.net' };
  const event = { context, viewer: { ip }, request };
  return JSON.parse(handle(JSON.stringify(event)));
}

const HOST = { value: 'd1.cloudfront.example' };
const REQUEST = {
  method: 'GET',
  uri: '/api/markets',
  headers: { accept: { value: '*/*' }, host: HOST },
};

describe('the headers that the viewer function sets', () => {
  const SET_HEADERS = {
    'x-viewer-ip': { value: '2001:db8::1' },
    'x-viewer-network': { value: '2001:db8:0:0::/64' },
    // CloudFront's own name, whatever host the viewer sends.
    'x-site': { value: 'https://d111111abcdef8.cloudfront.net' },
  };

  it('are the addresses of the viewer and of the service, and no others', () => {
    expect(run(REQUEST)).toEqual({ ...REQUEST, headers: { ...REQUEST.headers, ...SET_HEADERS } });
  });

  it('replace those that the viewer sends, even several times', () => {
    const forged = {
      host: HOST,
      'x-viewer-ip': {
        value: '192.0.2.1',
        multiValue: [{ value: '192.0.2.1' }, { value: '192.0.2.2' }],
      },
      'x-viewer-network': { value: '192.0.2.1' },
      'x-site': { value: 'https://evil.example' },
    };
    expect(run({ ...REQUEST, headers: forged })).toEqual({
      ...REQUEST,
      headers: { host: HOST, ...SET_HEADERS },
    });
  });
});

/** The web ACL counts requests by this header, and the functions by `limitedAddress`. */
describe('x-viewer-network', () => {
  const networkOf = (ip: string) => run(REQUEST, ip).headers['x-viewer-network']?.value;

  it.each([
    { ip: '198.51.100.1', network: '198.51.100.1' },
    { ip: '2001:DB8::1', network: '2001:db8:0:0::/64' },
    { ip: '2001:0db8:00a0:0001:ffff:ffff:ffff:ffff', network: '2001:db8:a0:1::/64' },
    { ip: '::ffff:198.51.100.1', network: '198.51.100.1' },
    { ip: '::ffff:c633:6401', network: '198.51.100.1' },
    { ip: '64:ff9b::198.51.100.1', network: '64:ff9b:0:0::/64' },
    { ip: '::', network: '0:0:0:0::/64' },
  ])('is the IPv4 address or the /64 network: $ip has $network', ({ ip, network }) => {
    expect(networkOf(ip)).toBe(network);
  });

  /** The notations of an IPv6 address (eight groups of 16 bits), and its end as IPv4 address. */
  function notationsOf(groups: readonly number[]): readonly string[] {
    const address = new ipaddr.IPv6([...groups]);
    const hexadecimal = groups.map((group) => group.toString(16));
    const ipv4 = address.toByteArray().slice(-4).join('.');
    return [
      address.toString(),
      address.toNormalizedString(),
      hexadecimal.map((group) => group.padStart(4, '0')).join(':'),
      address.toRFC5952String().toUpperCase(),
      `${hexadecimal.slice(0, 6).join(':')}:${ipv4}`,
      ipv4,
    ];
  }

  it('is what the functions count by, for each notation of random addresses', () => {
    // Without CloudFront in front of it, a function counts by the address of the sender.
    const rules = { frontDoor: false, publicKeyIds: [] };
    const countedByFunctions = (sourceIp: string) =>
      limitedAddress(apiEvent({ sourceIp, apiKeyId: null }), rules);
    // Many zeros, because notations shorten them.
    const group = fc.oneof(fc.constantFrom(0, 0, 0, 0xffff), fc.nat(0xffff));
    const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 });
    // An IPv4 address as IPv6, ::ffff:0:0/96.
    const mapped = fc
      .tuple(fc.nat(0xffff), fc.nat(0xffff))
      .map((ipv4) => [0, 0, 0, 0, 0, 0xffff, ...ipv4]);
    const property = fc.property(fc.oneof(ipv6, mapped), (groups) => {
      for (const ip of notationsOf(groups))
        expect([ip, networkOf(ip)]).toEqual([ip, countedByFunctions(ip)]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

// API Gateway compresses only if it supports the first coding of Accept-Encoding.
describe('Accept-Encoding', () => {
  function passedOn(uri: string, value: string) {
    const headers = { host: HOST, 'accept-encoding': { value } };
    return run({ ...REQUEST, uri, headers }).headers['accept-encoding']?.value;
  }

  it.each([
    'br, gzip, deflate',
    'gzip',
    'gzip;q=0.5,br',
    'deflate, GZIP ; q=1.0',
    'br;q=1.0, gzip;q=0.05',
  ])('becomes gzip for the API, if the caller accepts gzip: %s', (sent) => {
    for (const uri of ['/api/markets', '/mcp']) expect(passedOn(uri, sent)).toBe('gzip');
    // CloudFront compresses the page's files, and reads the header itself.
    for (const uri of ['/', '/assets/page.js', '/apiary']) expect(passedOn(uri, sent)).toBe(sent);
  });

  it.each(['br', 'br, gzip;q=0', 'gzip; q=0.000, br', 'x-gzip, br', '*'])(
    'stays as it is without gzip: %s',
    (sent) => {
      for (const uri of ['/api/markets', '/mcp', '/']) expect(passedOn(uri, sent)).toBe(sent);
    },
  );
});

describe('at a wrong address', () => {
  /** The result for a GET request with this header Accept, or without one. */
  const get = (uri: string, accept?: string) =>
    run({
      ...REQUEST,
      uri,
      headers: accept ? { host: HOST, accept: { value: accept } } : { host: HOST },
    });

  it.each(['/nothing', '/market', '/market/a/b', '/docs/x', '/apiary', '//x', '/openapixjson'])(
    'a browser gets a page, and a request of a program is passed on: %s',
    (uri) => {
      expect(get(uri, 'text/html,application/xhtml+xml,*/*;q=0.8')).toMatchObject({
        statusCode: 404,
        headers: {
          'cache-control': { value: 'no-store' },
          'content-type': { value: 'text/html; charset=utf-8' },
        },
        body: expect.stringContaining('<a href="/">Show all markets</a>'),
      });
      for (const accept of ['*/*', 'application/json', undefined])
        expect(get(uri, accept)).toMatchObject({ uri });
    },
  );

  it.each(Object.values(ROUTES).map(({ path }) => path.replace(/\{\w+\}/, 'some-name.1')))(
    'a browser gets no page if a route has the address: %s',
    (uri) => {
      for (const served of [uri, `${uri.replace(/\/$/, '')}/`])
        expect(get(served, 'text/html')).toMatchObject({ uri: served });
    },
  );

  it.each(['/api', '/api/nothing'])('a browser gets the JSON of the API: %s', (uri) => {
    expect(get(uri, 'text/html')).toMatchObject({ uri });
  });
});

it('the viewer function responds to preflights itself', () => {
  expect(run({ ...REQUEST, method: 'OPTIONS' })).toMatchObject({
    statusCode: 204,
    headers: {
      'access-control-allow-origin': { value: '*' },
      'access-control-allow-methods': { value: 'GET,HEAD,OPTIONS' },
      'access-control-allow-headers': { value: '*' },
      'access-control-max-age': { value: '7200' },
    },
  });
});

// The service accepts bodies of 20,000 characters, which UTF-8 writes in at most 80,000 bytes.
describe('a request with this method and body', () => {
  const length = (value: string) => ({ 'content-length': { value } });
  const post = (headers: object) => ({ method: 'POST', uri: '/mcp', headers });

  it.each([
    { what: 'GET without a body', request: REQUEST },
    { what: 'HEAD', request: { ...REQUEST, method: 'HEAD' } },
    { what: 'POST of 80,000 bytes', request: post(length('80000')) },
    { what: 'POST of 0 bytes', request: post(length('0')) },
  ])('$what is passed on', ({ request }) => {
    expect(run(request)).toMatchObject({ method: request.method });
  });

  /** An error of the form that all errors of the service have. */
  function expectError(response: ViewerResult, statusCode: number, code: string): void {
    expect(response).toMatchObject({
      statusCode,
      headers: {
        'access-control-allow-origin': { value: '*' },
        'access-control-expose-headers': { value: expect.stringContaining('X-Request-Id') },
        'cache-control': { value: 'no-store' },
        'content-type': { value: 'application/json; charset=utf-8' },
        'x-request-id': { value: 'edge-1' },
      },
    });
    expect(JSON.parse(response.body)).toEqual({
      error: expect.any(String),
      code,
      requestId: 'edge-1',
    });
  }

  const GET_METHODS = 'GET, HEAD, OPTIONS';

  it.each([
    { method: 'PUT', uri: '/api/markets', allow: GET_METHODS },
    { method: 'PUT', uri: '/mcp', allow: 'POST, OPTIONS' },
    { method: 'DELETE', uri: '/nothing', allow: GET_METHODS },
  ])('$method $uri is rejected with 405', ({ allow, ...request }) => {
    const response = run({ ...REQUEST, ...request });
    expectError(response, 405, 'method_not_allowed');
    expect(response.headers.allow?.value).toBe(allow);
  });

  it.each([
    { what: 'POST of 80,001 bytes', request: post(length('80001')) },
    { what: 'POST of an unknown length', request: post({}) },
    { what: 'POST of a malformed length', request: post(length('1, 2')) },
    { what: 'GET with a large body', request: { ...REQUEST, headers: length('10000000') } },
  ])('$what is rejected with 413', ({ request }) => {
    const response = run(request);
    expectError(response, 413, 'body_too_large');
    expect(response.headers).not.toHaveProperty('allow');
  });
});
