import type { Status } from '../../lambda/endpoints/get-status.ts';
import { count } from '../console/format.ts';

/**
 * Asks the service as anybody would, and says in one sentence how it responded.
 *
 * @param apiKey where there is no front door to send it
 */
export async function probe(url: string, apiKey?: string, fetch = globalThis.fetch): Promise<string> {
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const [status, markets] = await Promise.all([
    fetch(`${url}/api/status`, { headers }).then(async (response) => (await response.json()) as Status),
    fetch(`${url}/api/markets?limit=1`, { headers }).then(async (response) => ({
      code: response.status,
      total: response.headers.get('x-total-count'),
      body: (await response.json()) as { readonly error?: string },
    })),
  ]);
  return `/api/status says ${statusWords(status)}; GET /api/markets is ${marketWords(markets)}`;
}

function statusWords(status: Status): string {
  const { ageSeconds, markets, marketsWithOneDayChange, marketsCataloguePriced, skipped } = status;
  if (ageSeconds === null) return status.status;
  const counts = [
    `${count(markets ?? 0)} markets`,
    `${count(marketsWithOneDayChange ?? 0)} with a 1-day change`,
    `${count(marketsCataloguePriced ?? 0)} priced by the catalogue`,
    `${count(skipped ?? 0)} skipped`,
  ];
  return `${status.status}, ${ageSeconds} s old (${counts.join(', ')})`;
}

function marketWords(response: { code: number; total: string | null; body: { error?: string } }): string {
  const { code, total, body } = response;
  return code === 200 ? `200 with ${count(Number(total))} markets` : `${code}: ${body.error}`;
}
