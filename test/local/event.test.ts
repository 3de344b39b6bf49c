import { describe, expect, it } from '@jest/globals';
import { matchRoute, proxyEvent } from '../../local/event.ts';

describe('matchRoute', () => {
  it.each([
    ['/api/markets/search', '/api/markets/search', null],
    ['/api/markets/search/', '/api/markets/search', null],
    ['/api/markets/0xab%2Fc%20d', '/api/markets/{id}', { id: '0xab%2Fc%20d' }],
    ['/api/events/some-event/', '/api/events/{slug}', { slug: 'some-event' }],
    ['/assets/page-1.js', '/assets/{file}', { file: 'page-1.js' }],
    ['/', '/', null],
  ])('finds for %s the resource %s', (path, resource, pathParameters) => {
    expect(matchRoute(path)).toMatchObject({ resource, pathParameters });
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
  /** Names and values in turn, as Node.js has them. */
  const rawHeaders =
    'Host h Accept a accept b X-Viewer-IP 6.6.6.6 x-api-key stolen X-Site https://evil.example';
  const sent = {
    method: 'GET',
    path: '/api/markets',
    query: 'tag=a%2Cb&tag=c+d&empty=&Tag=x',
    rawHeaders: rawHeaders.split(' '),
    body: '',
    address: '10.0.0.7',
  };
  const match = matchRoute(sent.path) as NonNullable<ReturnType<typeof matchRoute>>;
  const event = proxyEvent(sent, match, 'request-1');

  it('decodes the query and groups its values', () => {
    expect(event.multiValueQueryStringParameters).toEqual({
      tag: ['a,b', 'c d'],
      empty: [''],
      Tag: ['x'],
    });
    expect(event.queryStringParameters).toEqual({ tag: 'c d', empty: '', Tag: 'x' });
    expect(
      proxyEvent({ ...sent, query: '' }, match, '1').multiValueQueryStringParameters,
    ).toBeNull();
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

  it('comes from CloudFront with the public key', () => {
    expect(event.requestContext).toMatchObject({
      requestId: 'request-1',
      path: '/local/api/markets',
      resourcePath: '/api/markets',
      identity: { apiKeyId: 'public', sourceIp: '130.176.0.1' },
    });
  });

  it('passes a body on as text', () => {
    expect(proxyEvent({ ...sent, body: '{"a":"é"}' }, match, '1')).toMatchObject({
      body: '{"a":"é"}',
      isBase64Encoded: false,
    });
    expect(event.body).toBeNull();
  });
});
