import { describe, expect, it } from '@jest/globals';
import { conditional, contentTag } from '../../../../lambda/http/conditional.ts';

const LAST_MODIFIED = Date.parse('2026-11-21T12:00:00.400Z');
const BODY = '[]';
const status = (headers: Record<string, string>) =>
  conditional(headers, { tag: contentTag(BODY), lastModified: LAST_MODIFIED }, {}, () => BODY).status;
const TAG = `"${contentTag(BODY)}"`;

describe('If-None-Match', () => {
  it.each([`W/${TAG}`, TAG, `"other", W/${TAG}`, '*'])('%s is known: 304', (value) => {
    expect(status({ 'if-none-match': value })).toBe(304);
  });

  it('decides alone where it is there', () => {
    const since = { 'if-modified-since': 'Sat, 21 Nov 2026 12:00:00 GMT' };
    expect(status({ ...since, 'if-none-match': '"other"' })).toBe(200);
  });
});

describe('a response', () => {
  it('has the tag of its content, and its time where it has one', () => {
    const made = conditional({}, { tag: 'x', lastModified: LAST_MODIFIED }, { A: 'b' }, () => BODY);
    expect(made).toEqual({
      status: 200,
      body: BODY,
      headers: { A: 'b', ETag: 'W/"x"', 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' },
    });
    expect(conditional({}, { tag: 'x' }, {}, () => BODY).headers).toEqual({ ETag: 'W/"x"' });
  });

  it('that is known has no body, which is not even made', () => {
    const body = () => {
      throw new Error('made');
    };
    expect(conditional({ 'if-none-match': 'W/"x"' }, { tag: 'x' }, {}, body)).toEqual({
      status: 304,
      body: '',
      headers: { ETag: 'W/"x"' },
    });
  });

  it('has a tag of 22 characters that tells one content from another', () => {
    expect(contentTag('a')).toMatch(/^[\w-]{22}$/);
    expect(contentTag('a')).toBe(contentTag('a'));
    expect(contentTag('b')).not.toBe(contentTag('a'));
  });

  it('without a time is not known by one', () => {
    const { status: code } = conditional({ 'if-modified-since': 'x' }, { tag: 'x' }, {}, () => BODY);
    expect(code).toBe(200);
  });

  it.each(['"W/other"', 'xW/"x"', 'W/"y"'])('is not known by %s', (value) => {
    expect(conditional({ 'if-none-match': value }, { tag: 'x' }, {}, () => BODY).status).toBe(200);
  });
});

describe('If-Modified-Since', () => {
  it('is known when it is what Last-Modified said', () => {
    const { headers } = conditional({}, { tag: 'x', lastModified: LAST_MODIFIED }, {}, () => BODY);
    expect(status({ 'if-modified-since': headers['Last-Modified'] ?? '' })).toBe(304);
  });

  it.each([
    'banana 3000',
    '2026-11-21T12:00:00Z',
    'Sat, 21 Nov 2026 12:00:01 GMT',
    'Sat, 21 Nov 2099 12:00:00 GMT',
    'Sat, 21 Nov 2026 11:59:59 GMT',
    'Saturday, 21-Nov-26 12:00:00 GMT',
  ])('%s is not: 200', (value) => {
    expect(status({ 'if-modified-since': value })).toBe(200);
  });
});
