import { describe, expect, it } from '@jest/globals';
import {
  cacheControl,
  conditional,
  contentEtag,
  encodedBytes,
  fitsResponse,
} from '../../../../lambda/app/http/response.ts';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';

const HTTP_DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const HEADERS = { 'Cache-Control': 'no-cache' };

it('cacheControl lets browsers keep a response, and forbids shared caches to use it without a check or in place of an error', () => {
  expect(cacheControl(15)).toBe('public, max-age=15, s-maxage=0, stale-if-error=0');
});

it('contentEtag is equal for equal bodies only, and has 132 bits', () => {
  expect(contentEtag('a')).toBe(contentEtag('a'));
  expect(contentEtag('a')).not.toBe(contentEtag('b'));
  expect(contentEtag('a')).toMatch(/^[\w-]{22}$/);
});

it('a body fits to the byte as a JSON text', () => {
  expect(encodedBytes('a"é\n')).toBe(2 + 1 + 2 + 2 + 2);
  const quotes = '"'.repeat(MAX_RESPONSE_BYTES / 2 - 1);
  expect([quotes, `${quotes}a`, 'a'.repeat(1_000)].map(fitsResponse)).toEqual([true, false, true]);
});

describe('conditional', () => {
  it('leaves out Last-Modified for content that has none', () => {
    const response = conditional({ 'if-modified-since': HTTP_DATE }, { etag: 'abc' }, HEADERS, '[]');
    expect(response).toEqual({ status: 200, body: '[]', headers: { ...HEADERS, ETag: 'W/"abc"' } });
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
    [200, 'an empty tag and the date', { 'if-none-match': '', 'if-modified-since': HTTP_DATE }],
    [200, 'an earlier date', { 'if-modified-since': 'Sat, 21 Nov 2026 11:59:59 GMT' }],
    [200, 'a later date', { 'if-modified-since': 'Sat, 21 Nov 2026 12:00:01 GMT' }],
  ])('responds %i to a caller with %s', (status, _name, requestHeaders) => {
    const version = { etag: 'abc', lastModified: Date.parse(HTTP_DATE) + 456 };
    const headers = { ...HEADERS, ETag: 'W/"abc"', 'Last-Modified': HTTP_DATE };
    const body = status === 200 ? '[]' : '';
    expect(conditional(requestHeaders, version, HEADERS, '[]')).toEqual({ status, body, headers });
  });
});
