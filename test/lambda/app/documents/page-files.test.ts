import { describe, expect, it } from '@jest/globals';
import { getPage, type PageRoute } from '../../../../lambda/app/documents/page-files.ts';

const FILES = {
  '/': { type: 'text/html; charset=utf-8', body: '<p>page', contentSecurityPolicy: "default-src 'none'" },
  '/docs': { type: 'text/html; charset=utf-8', body: '<p>docs' },
  '/assets/page-1a.js': { type: 'text/javascript; charset=utf-8', body: 'go()' },
};

const respond = (route: PageRoute, file?: string, headers: Record<string, string> = {}) =>
  getPage(route, FILES)({ parameters: file === undefined ? {} : { file }, sent: {}, headers, path: '/dev/' });

describe('getPage', () => {
  it('serves the page, which browsers keep and ask about', async () => {
    const page = await respond('get-page');
    expect(page).toEqual({
      status: 200,
      body: '<p>page',
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'public, max-age=0, s-maxage=30, must-revalidate',
        'Content-Security-Policy': "default-src 'none'",
        ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      },
    });
    const etag = page.headers.ETag ?? '';
    expect(await respond('get-page', undefined, { 'if-none-match': etag })).toMatchObject({
      status: 304,
      body: '',
    });
  });

  it.each(['page-1b.js', '', '../docs', '$&', 'constructor', '__proto__'])(
    'responds 404 to an asset that does not exist: %j',
    (file) => {
      expect(() => respond('get-asset', file)).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );
});
