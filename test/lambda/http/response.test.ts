import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../lambda/core/contract/constants.ts';
import { conditional, encodedBytes, requireSendable } from '../../../lambda/http/response.ts';

const HTTP_DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const HEADERS = { 'Cache-Control': 'no-cache' };

describe('a conditional response', () => {
  it('has an ETag of 132 bits that equal bodies share, and no date if none is known', () => {
    const [a, again, b] = ['a', 'a', 'b'].map((body) => conditional({}, body, HEADERS));
    expect(a?.headers).toEqual({ ...HEADERS, ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/) });
    expect(again).toEqual(a);
    expect(b?.headers.ETag).not.toBe(a?.headers.ETag);
  });

  it.each<[number, string, Record<string, string>]>([
    [304, 'the weak tag', { 'if-none-match': 'W/"abc"' }],
    [304, 'the tag as a strong one', { 'if-none-match': '"abc"' }],
    [304, 'any tag', { 'if-none-match': '*' }],
    [304, 'a list with the tag', { 'if-none-match': 'W/"x" ,"abc", W/"y"' }],
    [304, 'the date', { 'if-modified-since': HTTP_DATE }],
    [200, 'neither', {}],
    [200, 'a longer tag', { 'if-none-match': 'W/"abcd"' }],
    [200, 'the tag without quotes', { 'if-none-match': 'abc' }],
    [200, 'another tag and the date', { 'if-none-match': 'W/"x"', 'if-modified-since': HTTP_DATE }],
    [200, 'no tag and the date', { 'if-none-match': '', 'if-modified-since': HTTP_DATE }],
    [200, 'an earlier date', { 'if-modified-since': 'Sat, 21 Nov 2026 11:59:59 GMT' }],
    [200, 'a later date', { 'if-modified-since': 'Sat, 21 Nov 2026 12:00:01 GMT' }],
  ])('is a %i to a caller with %s', (status, _name, requestHeaders) => {
    const version = { etag: 'abc', lastModified: Date.parse(HTTP_DATE) + 456 };
    const headers = { ...HEADERS, ETag: 'W/"abc"', 'Last-Modified': HTTP_DATE };
    const body = status === 200 ? '[]' : '';
    expect(conditional(requestHeaders, '[]', HEADERS, version)).toEqual({ status, body, headers });
  });
});

it('a body fits to the byte as a JSON text', () => {
  expect(encodedBytes('a"é\n')).toBe(2 + 1 + 2 + 2 + 2);
  // Lambda's limit without 64 KB for the headers.
  expect(MAX_RESPONSE_BYTES).toBeLessThanOrEqual(6 * 1_024 * 1_024 - 65_536);
  const quotes = '"'.repeat(MAX_RESPONSE_BYTES / 2 - 1);
  expect(requireSendable('list', quotes)).toBe(quotes);
  expect(() => requireSendable('list', `${quotes}a`)).toThrow('too large');
});
