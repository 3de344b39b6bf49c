import { VERSION } from '../lambda/core/contract/constants.ts';

/** An upstream or its firewall blocks the address. */
export const BLOCKED: readonly number[] = [401, 403, 429, 451];

/**
 * Tries to read an upstream.
 *
 * @returns why it cannot be read, such as `cannot resolve gamma-api.polymarket.com`; undefined if
 * it responds
 */
export async function problemOf(url: string, timeoutMs: number): Promise<string | undefined> {
  const { host } = new URL(url);
  try {
    const headers = { 'user-agent': `market-data-proxy/${VERSION}` };
    const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    if (status < 500 && !BLOCKED.includes(status)) return undefined;
    return `${host} responds with status ${status}`;
  } catch (error) {
    return unreachable(host, error);
  }
}

/** Why `fetch` failed, in words. */
export function unreachable(host: string, error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `${host} does not respond in time`;
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `cannot resolve ${host}`;
  if (code === 'ECONNREFUSED') return `${host} refuses connections`;
  return `cannot connect to ${host}${code === '' ? '' : ` (${code})`}`;
}
