import { describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/api-gateway/routes.ts';

const route = (httpMethod: string, path: string) => ({ httpMethod, resource: { id: path, path } });
const table = new RouteTable([
  route('ANY', '/{proxy+}'),
  route('GET', '/api/markets'),
  route('ANY', '/api/markets'),
  route('GET', '/api/markets/search'),
  route('GET', '/api/markets/{id}'),
  route('GET', '/api/{kind}/books/{id}'),
  route('GET', '/api/clob/{proxy+}'),
  route('GET', '/'),
]);

describe('a request finds', () => {
  it.each([
    ['GET', '/api/markets', 'GET /api/markets', {}],
    ['POST', '/api/markets', 'ANY /api/markets', {}],
    ['GET', '/api/markets/', 'GET /api/markets', {}],
    ['GET', '/api/markets/search', 'GET /api/markets/search', {}],
    ['GET', '/api/markets/7', 'GET /api/markets/{id}', { id: '7' }],
    ['GET', '/api/markets/a%2Fb', 'GET /api/markets/{id}', { id: 'a/b' }],
    ['GET', '/api/markets/7/8', 'ANY /{proxy+}', { proxy: 'api/markets/7/8' }],
    ['GET', '/api/%6Darkets', 'GET /api/markets', {}],
    ['GET', '/api/clob/books/1', 'GET /api/clob/{proxy+}', { proxy: 'books/1' }],
    ['GET', '/api/x/books/1', 'GET /api/{kind}/books/{id}', { kind: 'x', id: '1' }],
    ['GET', '/', 'GET /', {}],
    ['GET', '/api//markets', 'ANY /{proxy+}', { proxy: 'api//markets' }],
    ['DELETE', '/a', 'ANY /{proxy+}', { proxy: 'a' }],
  ])('%s %s → %s', (method, path, found, pathParameters) => {
    const match = table.match(method, path);
    expect(`${match?.route.httpMethod} ${match?.route.resource.path}`).toBe(found);
    expect(match?.pathParameters).toEqual(pathParameters);
  });

  it.each([
    ['POST', '/api/markets/search'],
    ['POST', '/'],
    ['GET', '//'],
  ])('nothing for %s %s', (method, path) => {
    expect(table.match(method, path)).toBeUndefined();
  });
});
