import { expect, it } from '@jest/globals';
import { OWN_RESPONSES } from '../../../local/own-responses.ts';

it.each([
  ['starting', OWN_RESPONSES.starting('id'), 503, 'starting'],
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
