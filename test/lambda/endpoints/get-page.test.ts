import { describe, expect, it } from '@jest/globals';
import { getPage, type PageRoute } from '../../../lambda/endpoints/get-page.ts';

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
        'Cache-Control': 'no-cache',
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

  it('serves the API reference under its own path and tag', async () => {
    const docs = await respond('get-docs');
    expect(docs).toMatchObject({ status: 200, body: '<p>docs', headers: { 'Cache-Control': 'no-cache' } });
    expect(docs.headers).not.toHaveProperty('Content-Security-Policy');
    expect(docs.headers.ETag).not.toBe((await respond('get-page')).headers.ETag);
  });

  it('serves assets, which browsers keep for a year', async () => {
    expect(await respond('get-asset', 'page-1a.js')).toMatchObject({
      status: 200,
      body: 'go()',
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
  });

  it.each(['page-1b.js', '', '../docs', '$&', 'constructor', '__proto__'])(
    'responds 404 to an asset that does not exist: %j',
    (file) => {
      expect(() => respond('get-asset', file)).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );
});
