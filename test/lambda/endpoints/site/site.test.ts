import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { SITE_ENDPOINTS, type SiteRoute } from '../../../../lambda/endpoints/site/site.ts';
import { pipeline } from '../../../../lambda/http/pipeline.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';
import { loadedSnapshot, testMarket } from '../../../support/markets.ts';

/** The page as it was built. A link to a market replaces what stands between the two comments. */
const PAGE = `<head>
    <!-- card -->
    <title>Prediction markets</title>
    <meta property="og:title" content="Prediction markets of Polymarket">
    <meta property="og:image" content="/assets/social-1A.png">
    <!-- /card -->
  </head>`;
const FILES = {
  '/': {
    type: 'text/html; charset=utf-8',
    body: PAGE,
    contentSecurityPolicy: "default-src 'none'",
  },
  '/assets/page-1a.js': { type: 'text/javascript; charset=utf-8', body: 'go()' },
};
const IMAGE = '<meta property="og:image" content="/assets/social-1A.png">';

const cup = { eventSlug: 'cup', eventTitle: 'The cup' };
const snapshot = loadedSnapshot([
  testMarket(0, {
    ...cup,
    slug: 'falcons',
    currentProbability: 29.6,
    oneDayPriceChange: -0.34,
    volume: 10_500_000,
  }),
  testMarket(1, {
    ...cup,
    groupItemTitle: 'Rovers',
    currentProbability: 50,
    oneDayPriceChange: null,
    outcome: 'Over',
  }),
  testMarket(2, { slug: 'quiet', oneDayPriceChange: 0.04, currentProbability: 1.15 }),
  testMarket(4, { slug: '../a b' }),
  testMarket(3, { slug: 'markup', question: `Does <b>"it"</b> & 'that' win?` }),
]);

async function page(
  route: SiteRoute,
  slug: string,
  options: { latest?: () => never; site?: string; simulated?: boolean } = {},
) {
  const { latest = () => snapshot, site = '', simulated = false } = options;
  const snapshots = { latest: async () => latest(), byId: async () => latest() };
  const request = { parameters: { slug, file: slug }, sent: {}, headers: {}, path: '/' };
  return await SITE_ENDPOINTS[route]({ files: FILES, site, simulated, snapshots })(request);
}

const market = (slug: string) => page('get-market-page', slug);

describe('the files of the page', () => {
  it('are documents that browsers revalidate, and assets that they keep', async () => {
    const policies = {
      'Content-Security-Policy': "default-src 'none'",
      ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    };
    const caching = { 'Cache-Control': 'public, max-age=0, s-maxage=30, must-revalidate' };
    const headers = { 'Content-Type': FILES['/'].type, ...policies, ...caching };
    expect(await page('get-page', '')).toEqual({ status: 200, body: PAGE, headers });
    const asset = await page('get-asset', 'page-1a.js');
    expect(asset.headers['Cache-Control']).toContain('immutable');
  });

  const OTHERS = ['page-1b.js', '', '../docs', '$&', 'constructor', '__proto__'];
  it.each(OTHERS)('are no others: %j', async (file) => {
    await expect(page('get-asset', file)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the page of a market', () => {
  it('says that its data is simulated, and does not name Polymarket for it', async () => {
    const { body } = await page('get-market-page', 'falcons', { simulated: true });
    const [, title] = /og:title" content="([^"]*)/.exec(body) ?? [];
    const [, description] = /og:description" content="([^"]*)/.exec(body) ?? [];
    expect(title).toBe(`Simulated: ${testMarket(0).question} 29.6%`);
    expect(description).toBe('29.6%, down 0.3 points today. $10.5M volume. All data is simulated.');
  });

  it('has its title, its price and its change in place of the general texts', async () => {
    const { status, body, headers } = await market('falcons');
    const title = `${testMarket(0).question} 29.6%`;
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
      'Content-Type': FILES['/'].type,
      'Content-Security-Policy': "default-src 'none'",
    });
  });

  it('names the outcome, and no change that is unknown or too small', async () => {
    expect((await market(testMarket(1).id)).body).toContain('content="Over: 50.0%. $');
    // The page rounds 1.15 up, too.
    expect((await market('quiet')).body).toContain('content="1.2%, unchanged today. $');
  });

  it('contains texts of the upstream as text', async () => {
    const { body } = await market('markup');
    expect(body).toContain(`Does &lt;b&gt;&quot;it&quot;&lt;/b&gt; &amp; 'that' win?`);
    expect(body).not.toContain('<b>');
  });

  it('has whole addresses where the address of the service is known', async () => {
    const { body } = await page('get-market-page', 'falcons', { site: 'https://markets.example' });
    expect(body).toContain('<link rel="canonical" href="https://markets.example/market/falcons">');
    expect(body).toContain(
      '<meta property="og:image" content="https://markets.example/assets/social-1A.png">',
    );
    expect((await market(testMarket(4).id)).body).toContain(
      '<link rel="canonical" href="/market/..%2Fa%20b">',
    );
  });
});

describe('a link preview without a domain', () => {
  const CALLERS = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] };
  const OWN = 'https://d111111abcdef8.cloudfront.net';
  const EVIL = 'https://evil.example';
  const unused = () => undefined;

  /** The page of a market, as API Gateway sends the request. */
  async function preview(options: EventOptions, callers = CALLERS, site = '') {
    const snapshots = { latest: async () => snapshot, byId: async () => snapshot };
    const handler = pipeline({
      route: 'get-market-page',
      logger: { warn: unused, error: unused },
      metrics: { add: unused, flush: unused },
      callers,
      endpoint: SITE_ENDPOINTS['get-market-page']({
        files: FILES,
        site,
        simulated: false,
        snapshots,
      }),
    });
    const path = { path: '/market/falcons', pathParameters: { slug: 'falcons' } };
    const { statusCode, headers, body } = await handler(
      apiEvent({ ...path, ...options }),
      {} as never,
    );
    return { statusCode, headers, body };
  }
  const urlOf = (body: string) => /og:url" content="(.*?)"/.exec(body)?.[1];

  it('has the whole address that CloudFront sends', async () => {
    const { body } = await preview({ headers: { 'x-site': OWN } });
    expect(urlOf(body)).toBe(`${OWN}/market/falcons`);
    expect(body).toContain(`<meta property="og:image" content="${OWN}/assets/social-1A.png">`);
  });

  it.each<[string, EventOptions, typeof CALLERS]>([
    ['a direct call without a key', { headers: { 'x-site': EVIL }, apiKeyId: null }, CALLERS],
    ['a partner', { headers: { 'x-site': EVIL }, apiKeyId: 'partner' }, CALLERS],
    ['no edge', { headers: { 'x-site': EVIL } }, { ...CALLERS, frontDoor: false }],
    ['two values', { headers: { 'x-site': [OWN, EVIL] } }, CALLERS],
    ['markup', { headers: { 'x-site': 'https://a"><script>' } }, CALLERS],
    ['no name', { headers: { 'x-site': 'https://undefined' } }, CALLERS],
    ['another scheme', { headers: { 'x-site': 'javascript:alert(1)' } }, CALLERS],
    ['other headers', { headers: { Host: 'evil.example', 'X-Forwarded-Host': EVIL } }, CALLERS],
  ])('keeps the relative address for %s', async (_what, options, callers) => {
    expect(urlOf((await preview(options, callers)).body)).toBe('/market/falcons');
  });

  it('prefers the domain', async () => {
    const { body } = await preview({ headers: { 'x-site': OWN } }, CALLERS, 'https://m.example');
    expect(urlOf(body)).toBe('https://m.example/market/falcons');
  });

  // CloudFront caches it by the path alone, and forwards all of these.
  it.each<[string, EventOptions]>([
    ['query', { query: { slug: ['quiet'], fields: ['all'], utm_source: ['x'] } }],
    ['cookies', { headers: { 'x-site': OWN, cookie: 'a=b' } }],
    ['headers', { headers: { 'x-site': OWN, accept: 'application/json', host: 'evil.example' } }],
    ['network', { headers: { 'x-site': OWN, 'x-viewer-network': '192.0.2.1' } }],
  ])('depends on nothing but the path: %s', async (_what, options) => {
    const same = { headers: { 'x-site': OWN } };
    expect(await preview({ ...same, ...options })).toEqual(await preview(same));
  });
});

it('the page of an event has its most probable outcomes', async () => {
  const { body } = await page('get-event-page', 'cup');
  expect(body).toContain('<title>The cup · Prediction markets</title>');
  expect(body).toMatch(
    /og:description" content="Rovers 50\.0%, [^,]+ 29\.6%\. 2 markets, \$11\.5M volume at Polymarket\."/,
  );
});

describe('a link that the snapshot does not explain', () => {
  const missing = () => {
    throw new ServiceError('snapshot_missing', 'There is no snapshot.');
  };

  it.each([
    ['an unknown market', 'get-market-page', 'unknown', {}],
    ['an unknown event', 'get-event-page', 'falcons', {}],
    ['a market without a snapshot', 'get-market-page', 'falcons', { latest: missing }],
  ] as const)(
    '%s is the page with its general title, which search engines leave out',
    async (_, route, slug, options) => {
      const { status, body } = await page(route, slug, options);
      expect(status).toBe(200);
      expect(body).toContain('<title>Prediction markets</title>');
      expect(body).toContain('<meta name="robots" content="noindex">');
      expect(body).toContain(IMAGE);
    },
  );

  it.each(['a b', '<script>', 'a/b', '', '"', '..%2f', 'x'.repeat(301)])(
    'is 404 with a way back: %j',
    async (slug) => {
      const { status, body, headers } = await market(slug);
      expect([status, headers['Content-Type'], headers['Cache-Control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(body).toContain('<a href="/">Show all markets</a>');
    },
  );
});
