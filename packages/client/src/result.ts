/** What the service responded, with what every caller should look at: how old it is. */
export interface Result<T> {
  readonly data: T;
  /** The moment the prices were read, where the response tells (market data). */
  readonly asOf: Date | undefined;
  /** Seconds since then by the service's own clock; undefined together with `asOf`. */
  readonly ageSeconds: number | undefined;
  /** The snapshot that the response was cut out of, for further pages and for `changes`. */
  readonly snapshot: string | undefined;
  /** How many there are in all, where the response is a page. */
  readonly total: number | undefined;
  /** Absolute URLs of the other pages. */
  readonly links: Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;
  /** Requests that the service still allows this address in the current minute, where it tells. */
  readonly requestsLeft: number | undefined;
  readonly response: Response;
}

export function toResult<T>(data: T, response: Response, base: string, now: number): Result<T> {
  const { headers } = response;
  const links = linksOf(headers.get('link'), base);
  const modified = Date.parse(headers.get('last-modified') ?? '');
  const asOf = Number.isNaN(modified) ? undefined : new Date(modified);
  const served = Date.parse(headers.get('date') ?? '');
  const [, left] = /;\s*r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  const total = headers.get('x-total-count');
  return {
    data,
    asOf,
    ageSeconds:
      asOf && Math.max(0, Math.round(((Number.isNaN(served) ? now : served) - asOf.getTime()) / 1_000)),
    snapshot: snapshotOf(links.first ?? links.last),
    total: total === null ? undefined : Number(total),
    links,
    requestsLeft: left === undefined ? undefined : Number(left),
    response,
  };
}

/** RFC 8288, as far as the service uses it. @param base what relative targets are relative to; may be empty */
function linksOf(header: string | null, base: string): Result<unknown>['links'] {
  const links: Record<string, string> = {};
  for (const [, target, rel] of (header ?? '').matchAll(/<([^>]*)>;\s*rel="(\w+)"/g)) {
    if (target !== undefined && rel !== undefined) {
      links[rel] = URL.canParse(target, base || undefined) ? new URL(target, base || undefined).href : target;
    }
  }
  return links;
}

function snapshotOf(link: string | undefined): string | undefined {
  const query = link?.split('?')[1];
  return (query && new URLSearchParams(query).get('snapshot')) || undefined;
}
