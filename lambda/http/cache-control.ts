/**
 * `stale-if-error=0`: CloudFront would otherwise serve an expired copy where the origin responds 502, and so
 * hide that the data is too old.
 *
 * @param seconds how long a browser may keep the response
 * @param edge whether CloudFront may keep it too; by default it must ask, so that every request is counted
 */
export function cacheControl(seconds: number, edge: boolean): string {
  return `public, max-age=${seconds}${edge ? '' : ', s-maxage=0'}, stale-if-error=0`;
}

export const NO_STORE = 'no-store';
