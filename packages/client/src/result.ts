/** The data of a response, with what its headers say about it. */
export interface Result<T> {
  readonly data: T;
  /** The time of the prices; undefined for a response without market data. */
  readonly asOf: Date | undefined;
  /**
   * Seconds since `asOf` by the service's clock. In a browser by the caller's, because its HTTP
   * cache returns an old `Date`.
   */
  readonly ageSeconds: number | undefined;
  /** The id of the snapshot, to request other pages of it. */
  readonly snapshot: string | undefined;
  /** Entries on all pages together. */
  readonly total: number | undefined;
  readonly response: Response;
}

/**
 * Makes a result of a response.
 *
 * @param now Unix ms by the caller's clock
 * @param hasHttpCache whether `Date` can be older than now, because the response was cached
 */
export function toResult<T>(
  data: T,
  response: Response,
  now: number,
  hasHttpCache: boolean,
): Result<T> {
  const { headers } = response;
  const asOf = timeOf(headers.get('last-modified'));
  const servedAt = hasHttpCache ? now : (timeOf(headers.get('date'))?.getTime() ?? now);
  const total = headers.get('x-total-count');
  return {
    data,
    asOf,
    ageSeconds: asOf && Math.max(0, Math.round((servedAt - asOf.getTime()) / 1_000)),
    snapshot: headers.get('x-snapshot-id') ?? undefined,
    total: total === null ? undefined : Number(total),
    response,
  };
}

/** The time in a header; undefined if it is absent or malformed. */
function timeOf(header: string | null): Date | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
