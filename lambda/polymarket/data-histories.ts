import { MAX_LIVE_BYTES } from '../contract/upstreams.ts';
import type { PricePoint } from '../domain/change.ts';
import type { CallLimits, Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { HistoryRoute, HistorySpan } from './history-route.ts';
import { asObject, asPrice, asText, asUnixSeconds } from './json-values.ts';

const ROUTE = 'v2-prices-history';

const MINUTE = 60;
const DAY = 86_400;

/** The longest window that the route takes, in seconds. */
const LONGEST_WINDOW = 15 * DAY;
/** Seconds of a bucket that the route takes. */
const LEAST_BUCKET = 60;
const GREATEST_BUCKET = DAY;
/**
 * How long prices are kept, by bucket: a finer bucket than is kept at the start of a window gives an empty page, not an
 * error (docs/upstream.md, "Data API"). An hour of caution, since the service's clock is not upstream's.
 */
const KEPT: readonly { readonly bucket: number; readonly seconds: number }[] = [
  { bucket: 60, seconds: 7 * DAY - 3_600 },
  { bucket: 300, seconds: 60 * DAY - 3_600 },
  { bucket: 1_800, seconds: 90 * DAY - 3_600 },
  { bucket: 10_800, seconds: Number.POSITIVE_INFINITY },
];
/** A page holds 10,000 points, more than any window of 15 days has. */
const MOST_PAGES = 5;

interface Page {
  readonly points: readonly PricePoint[];
  readonly cursor?: string;
}

/**
 * `GET /v2/prices-history` of the Data API: one token a call, other names than CLOB's for everything, pages by cursor.
 */
export class DataHistories implements HistoryRoute {
  readonly name = 'data';
  readonly tokensPerCall = 1;
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async read([token = '']: readonly string[], span: HistorySpan, limits: CallLimits) {
    const now = Math.floor(this.#upstream.clock.now() / 1_000);
    const query = new URLSearchParams({ token_id: token, ...rangeOf(span), ...bucketOf(span, now) });
    const points: PricePoint[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const { points: more, cursor } = await this.#page(query, limits);
      for (const point of more) points.push(point); // too many to be arguments of one call
      if (cursor === undefined || cursor === query.get('cursor')) break;
      query.set('cursor', cursor);
    }
    return new Map([[token, thinned(points, span.fidelity * MINUTE)]]);
  }

  #page(query: URLSearchParams, limits: CallLimits): Promise<Page> {
    return this.#upstream.request(ROUTE, `/v2/prices-history?${query}`, ({ body }) => readPage(body), {
      maxBytes: MAX_LIVE_BYTES,
      ...limits,
    });
  }
}

/**
 * The end is exclusive here, inclusive everywhere else. Of the longest window the last second is left out, since one
 * more is refused: the window after it begins there.
 */
function rangeOf(span: HistorySpan): Record<string, string> {
  if (span.kind === 'interval') return { interval: span.interval };
  const end = Math.min(span.end + 1, span.start + LONGEST_WINDOW);
  return { start: String(span.start), end: String(end) };
}

function bucketOf(span: HistorySpan, now: number): Record<string, string> {
  const asked = Math.min(Math.max(span.fidelity * MINUTE, LEAST_BUCKET), GREATEST_BUCKET);
  if (span.kind === 'interval') return { bucket_seconds: String(asked) };
  const age = now - span.start;
  const kept = KEPT.find(({ seconds }) => age <= seconds)?.bucket ?? GREATEST_BUCKET;
  return { bucket_seconds: String(Math.max(asked, kept)) };
}

/** @throws UpstreamError `wrong_shape` when the body holds no list, or points of which none can be read */
function readPage(body: unknown): Page {
  const envelope = asObject(body);
  if (!Array.isArray(envelope?.data)) throw new UpstreamError({ route: ROUTE, failure: 'wrong_shape' });
  const points = envelope.data.flatMap((row: unknown): PricePoint[] => {
    const object = asObject(row);
    const t = asUnixSeconds(object?.timestamp);
    const p = asPrice(object?.price);
    return t === undefined || p === undefined ? [] : [{ t, p }];
  });
  if (points.length === 0 && envelope.data.length > 0) {
    throw new UpstreamError({ route: ROUTE, failure: 'wrong_shape' });
  }
  const pagination = asObject(envelope.pagination);
  const cursor = pagination?.has_more === true ? asText(pagination.next_cursor) : undefined;
  return { points, ...(cursor === undefined ? {} : { cursor }) };
}

/** The route has no bucket longer than a day: where points further apart are wanted, those in between are left out. */
function thinned(points: readonly PricePoint[], seconds: number): readonly PricePoint[] {
  if (seconds <= GREATEST_BUCKET) return points;
  let last = Number.NEGATIVE_INFINITY;
  return points.filter(({ t }, n) => {
    if (t - last < seconds && n < points.length - 1) return false;
    last = t;
    return true;
  });
}
