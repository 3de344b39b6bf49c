import { expect, it } from '@jest/globals';
import { OWN_RESPONSES } from '../../../local/own-responses.ts';

it.each([
  ['starting', OWN_RESPONSES.starting('id'), 503, 'starting'],
  ['raw UTF-8', OWN_RESPONSES.unreadable('invalid_address', 'id'), 400, 'bad_request'],
  ['no HTTP', OWN_RESPONSES.unreadable('malformed', 'id'), 400, 'bad_request'],
  ['too long headers', OWN_RESPONSES.unreadable('headers_too_large', 'id'), 431, 'bad_request'],
  ['half a request', OWN_RESPONSES.unreadable('timeout', 'id'), 408, 'bad_request'],
])('%s has the shape and the headers of every error', (_, response, status, code) => {
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body.toString())).toEqual({ error: expect.any(String), code, requestId: 'id' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'X-Request-Id': 'id',
  });
});

it('only an address is told to be percent-encoded', () => {
  const sentence = (cause: 'invalid_address' | 'malformed') =>
    JSON.parse(OWN_RESPONSES.unreadable(cause, 'id').body.toString()).error;
  expect(sentence('invalid_address')).toContain('percent-encode');
  expect(sentence('malformed')).toBe('The request is not valid HTTP/1.1.');
});
