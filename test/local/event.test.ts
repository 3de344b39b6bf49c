/**
 * The local server replaces API Gateway and CloudFront. `matchRoute` finds the route of a path, and
 * `proxyEvent` makes the event with which API Gateway would invoke the function of that route.
 */
import { describe, expect, it } from '@jest/globals';
import { matchRoute, proxyEvent } from '../../local/event.ts';

describe('matchRoute', () => {
  it.each([
    { path: '/api/markets/search', resource: '/api/markets/search', parameters: null },
    { path: '/api/markets/search/', resource: '/api/markets/search', parameters: null },
    {
      path: '/api/markets/0xab%2Fc%20d',
      resource: '/api/markets/{id}',
      parameters: { id: '0xab%2Fc%20d' },
    },
    {
      path: '/api/events/some-event/',
      resource: '/api/events/{slug}',
      parameters: { slug: 'some-event' },
    },
    { path: '/assets/page-1.js', resource: '/assets/{file}', parameters: { file: 'page-1.js' } },
    { path: '/', resource: '/', parameters: null },
  ])('finds for $path the resource $resource', ({ path, resource, parameters }) => {
    expect(matchRoute(path)).toMatchObject({ resource, pathParameters: parameters });
  });

  it.each([
    '/api',
    '/api/market',
    '/api/markets/a/b',
    '/api/markets//',
    '/API/markets',
    '/assets',
    '/docs/x',
    '//',
  ])('finds nothing for %s', (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });
});

describe('proxyEvent', () => {
  const headers = [
    ['Host', 'h'],
    ['Accept', 'a'],
    ['accept', 'b'],
    ['X-Viewer-IP', '6.6.6.6'],
    ['x-api-key', 'stolen'],
    ['X-Site', 'https://evil.example'],
  ];
  const sent = {
    method: 'GET',
    path: '/api/markets',
    query: 'tag=a%2Cb&tag=c+d&empty=&Tag=x',
    // Names and values in turn, as Node.js has them.
    rawHeaders: headers.flat(),
    body: '',
    address: '10.0.0.7',
  };
  const route = matchRoute(sent.path) as NonNullable<ReturnType<typeof matchRoute>>;
  const event = proxyEvent(sent, route, 'request-1');

  it('decodes the query and groups its values', () => {
    expect(event.multiValueQueryStringParameters).toEqual({
      tag: ['a,b', 'c d'],
      empty: [''],
      Tag: ['x'],
    });
    expect(event.queryStringParameters).toEqual({ tag: 'c d', empty: '', Tag: 'x' });
    const withoutQuery = proxyEvent({ ...sent, query: '' }, route, '1');
    expect(withoutQuery.multiValueQueryStringParameters).toBeNull();
  });

  it('groups headers in any case, and replaces those that CloudFront sets', () => {
    expect(event.multiValueHeaders).toEqual({
      Host: ['h'],
      Accept: ['a', 'b'],
      'x-viewer-ip': ['10.0.0.7'],
      'X-Forwarded-For': ['10.0.0.7, 130.176.0.1'],
    });
    expect(event.headers.Accept).toBe('b');
  });

  it('names CloudFront as the sender, which sent the public key', () => {
    expect(event.requestContext).toMatchObject({
      requestId: 'request-1',
      path: '/local/api/markets',
      resourcePath: '/api/markets',
      identity: { apiKeyId: 'public', sourceIp: '130.176.0.1' },
    });
  });

  it('passes a body on as text', () => {
    expect(proxyEvent({ ...sent, body: '{"a":"é"}' }, route, '1')).toMatchObject({
      body: '{"a":"é"}',
      isBase64Encoded: false,
    });
    expect(event.body).toBeNull();
  });
});
