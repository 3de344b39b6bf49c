/**
 * @param seconds how long a browser may keep the answer
 * @param edge whether CloudFront may keep it too; by default it must ask, so that every request is counted
 */
export function cacheControl(seconds: number, edge: boolean): string {
  return `public, max-age=${seconds}${edge ? '' : ', s-maxage=0'}`;
}

export const NO_STORE = 'no-store';
