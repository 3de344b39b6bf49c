export interface Result<T> {
  readonly data: T;
  /** Time of the prices; undefined if not market data. */
  readonly asOf: Date | undefined;
  /** Seconds since `asOf` by the service's clock. */
  readonly ageSeconds: number | undefined;
  /** For other pages and for `changes`. */
  readonly snapshot: string | undefined;
  /** Entries on all pages together. */
  readonly total: number | undefined;
  /** Absolute URLs. The service shortens long `Link` headers, so each can be absent. */
  readonly links: Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;
  /** That the service still allows this address. */
  readonly requestsLeft: number | undefined;
  readonly response: Response;
}

/** @param url base of relative links @param now Unix ms, for responses without `Date` */
export function toResult<T>(data: T, response: Response, url: string, now: number): Result<T> {
  const { headers } = response;
  const modified = Date.parse(headers.get('last-modified') ?? '');
  const asOf = Number.isNaN(modified) ? undefined : new Date(modified);
  const date = Date.parse(headers.get('date') ?? '');
  const served = Number.isNaN(date) ? now : date;
  const [, left] = /;\s*r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  return {
    data,
    asOf,
    ageSeconds: asOf && Math.max(0, Math.round((served - asOf.getTime()) / 1_000)),
    snapshot: headers.get('x-snapshot-id') ?? undefined,
    total: numberOf(headers.get('x-total-count')),
    links: linksOf(headers.get('link'), url),
    requestsLeft: numberOf(left),
    response,
  };
}

function numberOf(text: string | null | undefined): number | undefined {
  return text == null ? undefined : Number(text);
}

/** RFC 8288 in the service's form. */
function linksOf(header: string | null, url: string): Result<unknown>['links'] {
  const links = [...(header ?? '').matchAll(/<([^>]*)>;\s*rel="(first|prev|next|last)"/g)];
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, new URL(target, url).href]));
}
