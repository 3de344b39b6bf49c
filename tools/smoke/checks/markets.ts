import { MARKETS_LIMIT_DEFAULT, PUBLISH_GRACE_SECONDS } from '../../../lambda/contract/constants.ts';
import type { Market } from '../../../lambda/domain/market.ts';
import type { Status } from '../../../lambda/endpoints/get-status.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { HttpResponse } from '../client.ts';
import { PAGE, pathOf } from '../deployment.ts';
import { linkOf } from '../links.ts';

/** A date in a header has whole seconds, and two of them are compared. */
const ROUNDING_SECONDS = 2;

/** The list of markets, its freshness, its pages and its forms. */
export const MARKET_CHECKS = checks([
  {
    name: 'list: markets by volume',
    run: async (deployment) => {
      const { response, markets } = await deployment.firstPage();
      ensure(markets.length <= PAGE, `${markets.length} markets where ${PAGE} were asked for`);
      ensureByVolume(markets);
      const total = totalOf(response);
      ensure(total >= markets.length, `X-Total-Count is ${response.headers.get('x-total-count')}`);
      return `${total} in all, first "${markets[0]?.question}"`;
    },
  },
  {
    name: 'list: default page',
    run: async (deployment) => {
      const { response, body } = await deployment.get<Market[]>('list-markets');
      const expected = Math.min(MARKETS_LIMIT_DEFAULT, totalOf(response));
      ensure(body.length === expected, `${body.length} markets instead of ${expected}`);
      ensureByVolume(body);
      const changes = body.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null).length;
      return `${body.length} markets, ${changes} with a 1-day change`;
    },
  },
  {
    name: 'list: fresh, and cached no longer than that',
    run: async (deployment) => {
      const { response } = await deployment.firstPage();
      const { freshForSeconds } = (await deployment.get<Status>('get-status')).body;
      const age = ageOf(response);
      const limit = freshForSeconds + PUBLISH_GRACE_SECONDS;
      ensure(
        age >= -ROUNDING_SECONDS && age <= limit,
        `Last-Modified is ${age} s ago, not within ${limit} s`,
      );
      const cacheControl = response.headers.get('cache-control') ?? '';
      const kept = Number(/max-age=(\d+)/.exec(cacheControl)?.[1] ?? Number.NaN);
      const left = Math.max(0, freshForSeconds - age) + ROUNDING_SECONDS;
      ensure(kept <= left, `Cache-Control is "${cacheControl}" with ${left} s left`);
      return `${age} s old, ${cacheControl}`;
    },
  },
  {
    name: 'list: 304 for a known ETag',
    run: async (deployment) => {
      const { response } = await deployment.firstPage();
      const etag = response.headers.get('etag') ?? '';
      ensure(etag.startsWith('W/"'), `the ETag is "${etag}"`);
      const again = await deployment.client.call(pageOf(response), { headers: { 'if-none-match': etag } });
      ensure(
        again.status === 304 && again.text === '',
        `${again.status} with ${again.text.length} characters`,
      );
      return etag;
    },
  },
  {
    name: 'list: a walk over two pages',
    run: async (deployment) => {
      const { response, markets } = await deployment.firstPage();
      const next = linkOf(response, 'next');
      ensure(next !== undefined, `no link to the next page in "${response.headers.get('link')}"`);
      ensure(snapshotOf(next) !== null, `the link does not name its snapshot: ${next.href}`);
      const second = await deployment.client.call(next);
      const more = deployment.documented<Market[]>('list-markets', second);
      ensureByVolume([...markets, ...more]);
      const ids = new Set([...markets, ...more].map(({ id }) => id));
      ensure(ids.size === markets.length + more.length, 'a market is on both pages');
      ensure(totalOf(second) === totalOf(response), 'the pages are of different snapshots');
      ensure(linkOf(second, 'prev') !== undefined, 'the second page has no link to the previous one');
      return `${ids.size} markets of ${snapshotOf(next)}`;
    },
  },
  {
    name: 'list: gzip',
    run: async (deployment) => {
      // Not the whole list: that is a large response, and another check has asked for it.
      const path = pathOf('list-markets', { limit: '50' });
      const response = await deployment.client.call(path, { headers: { 'accept-encoding': 'gzip' } });
      deployment.documented('list-markets', response);
      const encoding = response.headers.get('content-encoding');
      ensure(encoding === 'gzip', `Content-Encoding is ${encoding}`);
      return `${response.text.length} characters`;
    },
  },
  {
    name: 'list: HEAD',
    run: async (deployment) => {
      const { response } = await deployment.firstPage();
      const head = await deployment.client.call(pageOf(response), { method: 'HEAD' });
      ensure(head.status === 200 && head.text === '', `${head.status} with ${head.text.length} characters`);
      const [etag, expected] = [head.headers.get('etag'), response.headers.get('etag')];
      ensure(etag === expected, `the ETag is ${etag}, that of GET ${expected}`);
      return 'the headers of GET';
    },
  },
]);

function ensureByVolume(markets: readonly Market[]): void {
  const wrong = markets.findIndex(
    ({ volume }, n) => volume > (markets[n - 1]?.volume ?? Number.POSITIVE_INFINITY),
  );
  ensure(wrong === -1, `market ${wrong + 1} has more volume than the one before`);
}

function totalOf(response: HttpResponse): number {
  return Number(response.headers.get('x-total-count') ?? Number.NaN);
}

/** Seconds, by the deployment's own clock where it tells the time. */
function ageOf(response: HttpResponse): number {
  const modified = Date.parse(response.headers.get('last-modified') ?? '');
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
  return Math.round((now - modified) / 1_000);
}

/** The page that came, by its snapshot: it stays the same while newer ones are published. */
function pageOf(response: HttpResponse): string {
  const link = linkOf(response, 'first');
  return pathOf('list-markets', { limit: String(PAGE), snapshot: (link && snapshotOf(link)) ?? '' });
}

function snapshotOf(link: URL): string | null {
  return link.searchParams.get('snapshot');
}
