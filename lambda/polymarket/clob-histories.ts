import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import type { PriceHistories } from '../endpoints/ports.ts';
import type { Upstream } from '../http-client/client.ts';
import { readHistory } from './clob-prices.ts';
import { LIVE_CALL } from './live-call.ts';

const ROUTE = 'prices-history';

/** Live price histories over CLOB's single route (upstream.md). */
export class ClobHistories implements PriceHistories {
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]> {
    const range: Record<string, string> =
      request.kind === 'interval'
        ? { interval: request.interval }
        : { startTs: String(request.start), endTs: String(request.end) };
    const query = new URLSearchParams({ market: token, ...range, fidelity: String(request.fidelity) });
    return this.upstream.request(ROUTE, `/prices-history?${query}`, ({ body }) => readHistory(ROUTE, body), {
      ...LIVE_CALL,
      deadline,
    });
  }
}
