/**
 * The per-IP limit as a rule (design 2.5, docs/adr/0004): a request is allowed when fewer than `limit` others were
 * allowed in the 60 s before it. The moments themselves are looked at rather than counts of aligned minutes: weighted
 * counts let up to 2 × limit − 1 requests through in 60 s, these never more than `limit`.
 */
export const WINDOW_MS = 60_000;

export interface RateLimitResult {
  readonly allowed: boolean;
  /** Further requests that would pass at this moment. */
  readonly remaining: number;
  /** Milliseconds since 1970: the oldest counted request leaves the window. Nobody who is refused passes before. */
  readonly resetAt: number;
}

/**
 * @param limit requests in any 60 s, at least 1
 * @param now the moment of the request itself
 * @param others moments of all other requests that passed, in any order, old ones and ones by a clock that is
 *   ahead among them
 */
export function slidingWindow(limit: number, now: number, others: readonly number[]): RateLimitResult {
  const counted = others.filter((moment) => isCounted(moment, now));
  const allowed = counted.length < limit;
  const oldest = counted.reduce(
    (one, other) => Math.min(one, other),
    allowed ? now : Number.POSITIVE_INFINITY,
  );
  return { allowed, remaining: allowed ? limit - counted.length - 1 : 0, resetAt: oldest + WINDOW_MS };
}

/** What came exactly 60 s ago counts no more; what comes from the future, by another clock, does. */
export function isCounted(moment: number, now: number): boolean {
  return moment > now - WINDOW_MS;
}

/**
 * Which requests of a log were allowed, told by nothing but their moments: each was judged by those before it.
 *
 * @param moments in the order in which the requests were put down
 * @returns the positions of those that were allowed
 */
export function allowedIn(limit: number, moments: readonly number[]): number[] {
  const positions: number[] = [];
  const allowed: number[] = [];
  for (const [position, moment] of moments.entries()) {
    if (allowed.length >= limit && countedAt(moment, allowed) >= limit) continue;
    positions.push(position);
    allowed.push(moment);
  }
  return positions;
}

/** A loop, since it runs for each entry of a list beyond the limit, in each request. */
function countedAt(now: number, moments: readonly number[]): number {
  let count = 0;
  for (const moment of moments) if (isCounted(moment, now)) count += 1;
  return count;
}

/** Whole seconds until the result's reset, 1 to 60. */
export function resetSeconds({ resetAt }: RateLimitResult, now: number): number {
  return Math.min(WINDOW_MS / 1_000, Math.max(1, Math.ceil((resetAt - now) / 1_000)));
}
