// The page for people: its files, and the pages of single markets and events. These are the same
// page with other texts in its head, so that a link has a preview in a chat.

import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { SITE_ENDPOINTS, type SiteRoute } from '../../../../lambda/endpoints/site/site.ts';
import { pipeline } from '../../../../lambda/http/pipeline.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';
import { loadedSnapshot, testMarket } from '../../../support/markets.ts';

/** The page as it was built. The two comments and all between them are replaced in a preview. */
const PAGE = `<head>
    <!-- card -->
    <title>Prediction markets</title>
    <meta property="og:title" content="Prediction markets of Polymarket">
    <meta property="og:image" content="/assets/social-1A.png">
    <!-- /card -->
  </head>`;
const IMAGE = '<meta property="og:image" content="/assets/social-1A.png">';
const CONTENT_SECURITY_POLICY = "default-src 'none'";
const HTML = 'text/html; charset=utf-8';
const FILES = {
  '/': { type: HTML, body: PAGE, contentSecurityPolicy: CONTENT_SECURITY_POLICY },
  '/assets/page-1a.js': { type: 'text/javascript; charset=utf-8', body: 'go()' },
};

/** The endpoint of a route, for a snapshot of these markets. */
function endpointOf<R extends SiteRoute>(
  route: R,
  markets: readonly Market[],
  { site = '', simulated = false } = {},
) {
  const snapshot = loadedSnapshot(markets);
  const snapshots = { latest: async () => snapshot, byId: async () => snapshot };
  return SITE_ENDPOINTS[route]({ files: FILES, site, simulated, snapshots });
}

const NO_CONTEXT = { sent: {}, headers: {}, path: '/' };
/** The page of the only market in the list. */
async function marketPage(market: Market, options?: { site?: string; simulated?: boolean }) {
  const endpoint = endpointOf('get-market-page', [market], options);
  return await endpoint({ parameters: { slug: market.slug ?? '' }, ...NO_CONTEXT });
}
/** The content of a `meta` element. */
const metaOf = ({ body }: { body: string }, name: string) =>
  new RegExp(`="${name}" content="([^"]*)"`).exec(body)?.[1];

describe('the files of the page', () => {
  const asset = async (file: string) =>
    await endpointOf('get-asset', [])({ parameters: { file }, ...NO_CONTEXT });

  it('are documents that browsers revalidate', async () => {
    const endpoint = endpointOf('get-page', []);
    const { status, body, headers } = await endpoint({ parameters: {}, ...NO_CONTEXT });
    expect(status).toBe(200);
    expect(body).toBe(PAGE);
    expect(headers).toEqual({
      'Content-Type': HTML,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'public, max-age=0, s-maxage=30, must-revalidate',
      // 132 bits in base64url.
      ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    });
  });

  it('are assets that browsers keep', async () => {
    expect((await asset('page-1a.js')).headers['Cache-Control']).toContain('immutable');
  });

  it.each(['page-1b.js', '', '../docs', '$&', 'constructor', '__proto__'])(
    'do not include the asset %j',
    async (file) => {
      await expect(asset(file)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('the page of a market', () => {
  const falcons = testMarket(0, {
    question: 'Will the Falcons win?',
    slug: 'falcons',
    currentProbability: 29.6,
    oneDayPriceChange: -0.34,
    volume: 10_500_000,
  });

  it('has its title, its price and its change in place of the general texts', async () => {
    const { status, body, headers } = await marketPage(falcons);
    const title = 'Will the Falcons win? 29.6%';
    const description = '29.6%, down 0.3 points today. $10.5M volume at Polymarket.';
    const tags = [
      `<title>${title} · Prediction markets</title>`,
      `<meta name="description" content="${description}">`,
      '<link rel="canonical" href="/market/falcons">',
      `<meta property="og:title" content="${title}">`,
      `<meta property="og:description" content="${description}">`,
      '<meta property="og:type" content="website">',
      '<meta property="og:url" content="/market/falcons">',
      IMAGE,
    ];
    expect(status).toBe(200);
    expect(body).toBe(`<head>\n    ${tags.join('\n    ')}\n  </head>`);
    expect(headers).toMatchObject({
      'Content-Type': HTML,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    });
  });

  it('says that its data is simulated, and does not name Polymarket for it', async () => {
    const simulated = await marketPage(falcons, { simulated: true });
    expect(metaOf(simulated, 'og:title')).toBe('Simulated: Will the Falcons win? 29.6%');
    const description = '29.6%, down 0.3 points today. $10.5M volume. All data is simulated.';
    expect(metaOf(simulated, 'og:description')).toBe(description);
  });

  it('names the outcome of the price if the market has one', async () => {
    const page = await marketPage({ ...falcons, outcome: 'Over' });
    expect(metaOf(page, 'description')).toMatch(/^Over: 29\.6%/);
  });

  it('has no change if the change is unknown', async () => {
    const page = await marketPage({ ...falcons, oneDayPriceChange: null });
    expect(metaOf(page, 'description')).toMatch(/^29\.6%\. \$/);
  });

  it('says "unchanged" for a change that rounds to 0', async () => {
    const page = await marketPage({ ...falcons, oneDayPriceChange: 0.04 });
    expect(metaOf(page, 'description')).toMatch(/^29\.6%, unchanged today/);
  });

  it('rounds a half up, as the script of the page does', async () => {
    const page = await marketPage({ ...falcons, currentProbability: 1.15 });
    expect(metaOf(page, 'description')).toMatch(/^1\.2%/);
  });

  it('contains markup of the upstream as text', async () => {
    const question = `Does <b>"it"</b> & 'that' win?`;
    const { body } = await marketPage({ ...falcons, question });
    expect(body).toContain(`Does &lt;b&gt;&quot;it&quot;&lt;/b&gt; &amp; 'that' win?`);
    expect(body).not.toContain('<b>');
  });

  it('has whole addresses if the service has a domain', async () => {
    const { body } = await marketPage(falcons, { site: 'https://markets.example' });
    expect(body).toContain('<link rel="canonical" href="https://markets.example/market/falcons">');
    expect(body).toContain(
      '<meta property="og:image" content="https://markets.example/assets/social-1A.png">',
    );
  });

  it('has an encoded address for any slug', async () => {
    const market = { ...falcons, slug: '../a b' };
    // The path names the market by its condition id, because it cannot name this slug.
    const endpoint = endpointOf('get-market-page', [market]);
    const { body } = await endpoint({ parameters: { slug: market.id }, ...NO_CONTEXT });
    expect(body).toContain('<link rel="canonical" href="/market/..%2Fa%20b">');
  });
});

it('the page of an event has its most probable outcomes', async () => {
  const cup = { eventSlug: 'cup', eventTitle: 'The cup' };
  const endpoint = endpointOf('get-event-page', [
    testMarket(0, { ...cup, question: 'Falcons?', currentProbability: 29.6, volume: 10_500_000 }),
    testMarket(1, { ...cup, groupItemTitle: 'Rovers', currentProbability: 50, volume: 1_000_000 }),
  ]);
  const page = await endpoint({ parameters: { slug: 'cup' }, ...NO_CONTEXT });
  expect(page.body).toContain('<title>The cup · Prediction markets</title>');
  expect(metaOf(page, 'og:description')).toBe(
    'Rovers 50.0%, Falcons? 29.6%. 2 markets, $11.5M volume at Polymarket.',
  );
});

describe('a link to a market or event that is not in the snapshot', () => {
  it.each(['get-market-page', 'get-event-page'] as const)(
    'has the page with its general title, which search engines leave out: %s',
    async (route) => {
      const endpoint = endpointOf(route, [testMarket(0)]);
      const { status, body } = await endpoint({ parameters: { slug: 'unknown' }, ...NO_CONTEXT });
      expect(status).toBe(200);
      expect(body).toContain('<title>Prediction markets</title>');
      expect(body).toContain('<meta name="robots" content="noindex">');
      expect(body).toContain(IMAGE);
    },
  );

  it('has the page with its general title while there is no snapshot', async () => {
    const error = new ServiceError('snapshot_missing', 'There is no snapshot.');
    const failing = () => Promise.reject(error);
    const endpoint = SITE_ENDPOINTS['get-market-page']({
      files: FILES,
      site: '',
      simulated: false,
      snapshots: { latest: failing, byId: failing },
    });
    const { status, body } = await endpoint({ parameters: { slug: 'falcons' }, ...NO_CONTEXT });
    expect(status).toBe(200);
    expect(body).toContain('<title>Prediction markets</title>');
  });

  // A name has at most 300 characters.
  it.each(['a b', '<script>', 'a/b', '', '"', '..%2f', 'x'.repeat(301)])(
    'is a 404 with a link to the page if no market can have the name: %j',
    async (slug) => {
      const { status, body, headers } = await marketPage(testMarket(0, { slug }));
      expect(status).toBe(404);
      expect(headers).toMatchObject({ 'Content-Type': HTML, 'Cache-Control': 'no-store' });
      expect(body).toContain('<a href="/">Show all markets</a>');
    },
  );
});

// A preview has whole addresses if CloudFront or the settings name the host of the service. No
// caller can set it.
describe('the addresses in a preview', () => {
  const CALLERS = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] };
  /** CloudFront sends the address of its distribution in the header `x-site`. */
  const CLOUDFRONT = 'https://d111111abcdef8.cloudfront.net';
  const FROM_CLOUDFRONT = { 'x-site': CLOUDFRONT };
  const EVIL = 'https://evil.example';
  const ignore = () => undefined;

  /** The page of a market, as API Gateway sends the request. */
  async function preview(
    options: EventOptions,
    { callers = CALLERS, site = '' }: { callers?: typeof CALLERS; site?: string } = {},
  ) {
    const handler = pipeline({
      route: 'get-market-page',
      logger: { warn: ignore, error: ignore },
      metrics: { add: ignore, flush: ignore },
      callers,
      limiter: undefined,
      endpoint: endpointOf('get-market-page', [testMarket(0, { slug: 'falcons' })], { site }),
    });
    const path = { path: '/market/falcons', pathParameters: { slug: 'falcons' } };
    const event = apiEvent({ ...path, ...options });
    const { statusCode, headers, body } = await handler(event, {} as never);
    return { statusCode, headers, body };
  }

  it('begin with the address that CloudFront sends', async () => {
    const page = await preview({ headers: FROM_CLOUDFRONT });
    expect(metaOf(page, 'og:url')).toBe(`${CLOUDFRONT}/market/falcons`);
    expect(metaOf(page, 'og:image')).toBe(`${CLOUDFRONT}/assets/social-1A.png`);
  });

  it('begin with the domain of the service if it has one', async () => {
    const page = await preview({ headers: FROM_CLOUDFRONT }, { site: 'https://m.example' });
    expect(metaOf(page, 'og:url')).toBe('https://m.example/market/falcons');
  });

  it.each<[sender: string, options: EventOptions]>([
    ['a caller without a key', { headers: { 'x-site': EVIL }, apiKeyId: null }],
    ['a partner', { headers: { 'x-site': EVIL }, apiKeyId: 'partner' }],
    ['two values', { headers: { 'x-site': [CLOUDFRONT, EVIL] } }],
    ['markup', { headers: { 'x-site': 'https://a"><script>' } }],
    ['a host that is not a domain', { headers: { 'x-site': 'https://undefined' } }],
    ['another scheme', { headers: { 'x-site': 'javascript:alert(1)' } }],
    ['other headers', { headers: { Host: 'evil.example', 'X-Forwarded-Host': EVIL } }],
  ])('are relative for %s', async (_sender, options) => {
    expect(metaOf(await preview(options), 'og:url')).toBe('/market/falcons');
  });

  it('are relative if the service has no front door', async () => {
    const callers = { ...CALLERS, frontDoor: false };
    const page = await preview({ headers: { 'x-site': EVIL } }, { callers });
    expect(metaOf(page, 'og:url')).toBe('/market/falcons');
  });

  // CloudFront caches the page by its path alone, and forwards all of these.
  it.each<[part: string, options: EventOptions]>([
    ['query', { query: { slug: ['quiet'], fields: ['all'], utm_source: ['x'] } }],
    ['cookie', { headers: { ...FROM_CLOUDFRONT, cookie: 'a=b' } }],
    ['header', { headers: { ...FROM_CLOUDFRONT, accept: 'application/json', host: EVIL } }],
    ['network', { headers: { ...FROM_CLOUDFRONT, 'x-viewer-network': '192.0.2.1' } }],
  ])('do not depend on the %s of a request', async (_part, options) => {
    const plain = { headers: FROM_CLOUDFRONT };
    expect(await preview({ ...plain, ...options })).toEqual(await preview(plain));
  });
});
