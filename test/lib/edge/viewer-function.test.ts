import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { ROUTES } from '../../../lambda/core/contract/route-table.ts';
import { limitedAddress } from '../../../lambda/http/caller.ts';
import { apiEvent } from '../../support/api-event.ts';
import { only, template } from '../templates.ts';

/** A request that goes on to the origin, or a response. */
interface ViewerResult {
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body: string;
}

interface ViewerRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: object;
}

const [, { Properties: viewerFunction }] = only(template('dev'), 'AWS::CloudFront::Function');
/**
 * The deployed code. It gets and returns JSON, because objects of another context are not equal.
 */
const handle: (event: string) => string = runInNewContext(
  `${viewerFunction.FunctionCode}; (event) => JSON.stringify(handler(JSON.parse(event)))`,
);

function run(request: ViewerRequest, ip = '2001:db8::1'): ViewerResult {
  const context = { requestId: 'edge-1', distributionDomainName: 'd111111abcdef8.cloudfront.net' };
  const event = { context, viewer: { ip }, request };
  return JSON.parse(handle(JSON.stringify(event)));
}

describe('the viewer function', () => {
  const host = { value: 'd1.cloudfront.example' };
  const request = {
    method: 'GET',
    uri: '/api/markets',
    headers: { accept: { value: '*/*' }, host },
  };
  const set = {
    'x-viewer-ip': { value: '2001:db8::1' },
    'x-viewer-network': { value: '2001:db8:0:0::/64' },
    // CloudFront's own name, whatever host the viewer sends.
    'x-site': { value: 'https://d111111abcdef8.cloudfront.net' },
  };

  it('passes on the addresses of the viewer and of the service, and changes nothing else', () => {
    expect(run(request)).toEqual({
      ...request,
      headers: { accept: { value: '*/*' }, host, ...set },
    });
  });

  it('overwrites an address that the viewer sends, even several times', () => {
    const forged = {
      host,
      'x-viewer-ip': {
        value: '192.0.2.1',
        multiValue: [{ value: '192.0.2.1' }, { value: '192.0.2.2' }],
      },
      'x-viewer-network': { value: '192.0.2.1' },
      'x-site': { value: 'https://evil.example' },
    };
    expect(run({ ...request, headers: forged })).toEqual({
      ...request,
      headers: { host, ...set },
    });
  });

  const networkOf = (ip: string) => run(request, ip).headers['x-viewer-network']?.value;

  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:00a0:0001:ffff:ffff:ffff:ffff', '2001:db8:a0:1::/64'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::ffff:c633:6401', '198.51.100.1'],
    ['0:0:0:0:0:FFFF:C633:6401', '198.51.100.1'],
    ['64:ff9b::198.51.100.1', '64:ff9b:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('counts a viewer by the IPv4 address or the /64 network: %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });

  /** The notations of an IPv6 address of eight groups of 16 bits, and the IPv4 address at its end. */
  function notationsOf(groups: readonly number[]): readonly string[] {
    const address = new ipaddr.IPv6([...groups]);
    const hexadecimal = groups.map((group) => group.toString(16));
    const ipv4 = groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
    return [
      address.toString(),
      address.toNormalizedString(),
      hexadecimal.map((group) => group.padStart(4, '0')).join(':'),
      address.toRFC5952String().toUpperCase(),
      `${hexadecimal.slice(0, 6).join(':')}:${ipv4}`,
      ipv4,
    ];
  }

  it('writes each address like the limit of the functions, in whatever notation', () => {
    const rules = { frontDoor: false, publicKeyIds: [] };
    const limited = (sourceIp: string) =>
      limitedAddress(apiEvent({ sourceIp, apiKeyId: null }), rules);
    // Many zeros, because notations shorten them.
    const group = fc.oneof(fc.constantFrom(0, 0, 0, 0xffff), fc.nat(0xffff));
    const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 });
    // An IPv4 address as IPv6, ::ffff:0:0/96.
    const mapped = fc
      .tuple(fc.nat(0xffff), fc.nat(0xffff))
      .map((groups) => [0, 0, 0, 0, 0, 0xffff, ...groups]);
    fc.assert(
      fc.property(fc.oneof(ipv6, mapped), (groups) => {
        for (const ip of notationsOf(groups))
          expect([ip, networkOf(ip)]).toEqual([ip, limited(ip)]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['br, gzip, deflate', 'gzip'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5,br', 'gzip'],
    ['deflate, GZIP ; q=1.0', 'gzip'],
    ['br;q=1.0, gzip;q=0.05', 'gzip'],
    ['br', 'br'],
    ['br, gzip;q=0', 'br, gzip;q=0'],
    ['gzip; q=0.000, br', 'gzip; q=0.000, br'],
    ['x-gzip, br', 'x-gzip, br'],
    ['*', '*'],
  ])('sends gzip alone to API Gateway if the caller accepts gzip: %s', (sent, passed) => {
    const codingsOf = (uri: string) => {
      const headers = { host, 'accept-encoding': { value: sent } };
      const result = run({ ...request, uri, headers });
      return result.headers['accept-encoding']?.value;
    };
    for (const uri of ['/api/markets', '/mcp']) expect(codingsOf(uri)).toBe(passed);
    // CloudFront compresses the page's files, and reads the header itself.
    for (const uri of ['/', '/assets/page.js', '/apiary']) expect(codingsOf(uri)).toBe(sent);
  });

  /** The result for a GET request with this header Accept, or without one. */
  const get = (uri: string, accept?: string) =>
    run({ ...request, uri, headers: accept ? { host, accept: { value: accept } } : { host } });

  it.each(['/nothing', '/market', '/market/a/b', '/docs/x', '/apiary', '//x', '/openapixjson'])(
    'sends a page to a browser at the wrong address %s, and passes on a program',
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
    'passes on a browser at %s',
    (uri) => {
      for (const one of [uri, `${uri.replace(/\/$/, '')}/`, '/api', '/api/nothing'])
        expect(get(one, 'text/html')).toMatchObject({ uri: one });
    },
  );

  it('responds to preflights itself', () => {
    const response = run({ ...request, method: 'OPTIONS' });
    expect(response).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': { value: '*' },
        'access-control-allow-methods': { value: 'GET,HEAD,OPTIONS' },
        'access-control-allow-headers': { value: '*' },
        'access-control-max-age': { value: '7200' },
      },
    });
  });

  const post = (headers: object) => ({
    ...request,
    method: 'POST',
    uri: '/mcp',
    headers: { host, ...headers },
  });
  const length = (value: string) => ({ 'content-length': { value } });

  it.each([
    ['GET without a body', request],
    ['HEAD', { ...request, method: 'HEAD' }],
    ['POST of 80,000 bytes', post({ ...length('80000'), host })],
    ['POST of 0 bytes', post({ ...length('0'), host })],
  ])('passes on %s', (_what, passed) => {
    expect(run(passed)).toMatchObject({ method: passed.method });
  });

  it.each([
    ['PUT', 405, 'method_not_allowed', { ...request, method: 'PUT' }],
    ['PUT of /mcp', 405, 'method_not_allowed', { ...request, method: 'PUT', uri: '/mcp' }],
    [
      'DELETE of an unknown path',
      405,
      'method_not_allowed',
      { ...request, method: 'DELETE', uri: '/nothing' },
    ],
    ['POST of 80,001 bytes', 413, 'body_too_large', post(length('80001'))],
    ['POST of an unknown length', 413, 'body_too_large', post({})],
    ['POST of a malformed length', 413, 'body_too_large', post(length('1, 2'))],
    ['GET with a large body', 413, 'body_too_large', { ...request, headers: length('10000000') }],
  ])('rejects %s before anything goes to the origin', (_what, statusCode, code, rejected) => {
    const response = run(rejected);
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
    const allowed = rejected.uri === '/mcp' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
    expect(response.headers.allow?.value).toBe(statusCode === 405 ? allowed : undefined);
  });
});
