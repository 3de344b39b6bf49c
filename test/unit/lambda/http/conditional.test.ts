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
  ])('%s is not: 200 (F29)', (value) => {
    expect(status({ 'if-modified-since': value })).toBe(200);
  });
});
