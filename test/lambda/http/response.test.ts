// The parts of a response that all endpoints share: an ETag and a 304 for a caller that has the
// same content already, and the largest body that Lambda can send.

import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../lambda/core/contract/constants.ts';
import { conditional, encodedBytes, requireSendable } from '../../../lambda/http/response.ts';

/** When the content changed last. */
const HTTP_DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const HEADERS = { 'Cache-Control': 'no-cache' };

describe('a conditional response', () => {
  it('has an ETag of 132 bits, in base64url, and no date if none is known', () => {
    const { headers } = conditional({}, '[]', HEADERS);
    expect(headers).toEqual({ ...HEADERS, ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/) });
  });

  it('has the same ETag only for the same body', () => {
    const etagOf = (body: string) => conditional({}, body, HEADERS).headers.ETag;
    expect(etagOf('a')).toBe(etagOf('a'));
    expect(etagOf('b')).not.toBe(etagOf('a'));
  });

  it.each<[status: number, condition: string, headers: Record<string, string>]>([
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
  ])('is a %i to a caller with %s', (status, _condition, requestHeaders) => {
    // A date of HTTP has no milliseconds.
    const version = { etag: 'abc', lastModified: Date.parse(HTTP_DATE) + 456 };
    const headers = { ...HEADERS, ETag: 'W/"abc"', 'Last-Modified': HTTP_DATE };
    const body = status === 200 ? '[]' : '';
    expect(conditional(requestHeaders, '[]', HEADERS, version)).toEqual({ status, body, headers });
  });
});

describe('a body that Lambda can send', () => {
  it('is measured in bytes, as the JSON text that Lambda sends', () => {
    expect(encodedBytes('abc')).toBe('"abc"'.length);
    expect(encodedBytes('"')).toBe('"\\""'.length);
    expect(encodedBytes('\n')).toBe('"\\n"'.length);
    // The letter takes two bytes in UTF-8.
    expect(encodedBytes('é')).toBe('""'.length + 2);
  });

  it('leaves 64 KB of the 6 MB of Lambda for the headers', () => {
    expect(MAX_RESPONSE_BYTES).toBeLessThanOrEqual(6 * 1_024 * 1_024 - 65_536);
  });

  it('has at most the maximum, to the byte', () => {
    // Each quote takes two bytes, and the text two more.
    const longest = '"'.repeat(MAX_RESPONSE_BYTES / 2 - 1);
    expect(requireSendable('list', longest)).toBe(longest);
    expect(() => requireSendable('list', `${longest}a`)).toThrow('too large');
  });
});
