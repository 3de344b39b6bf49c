import { afterAll } from '@jest/globals';
import { clock, type Row, startTestService, type TestResponse } from '../support.ts';

/** Then the endpoints read the newest snapshot again. */
const POINTER_READ_MS = 5_000;
export const began = Date.now();
/** The upstream's clock stands still, so its prices do not move. */
export const upstreamNow = (): number => began + clock.ahead;

/** Histories of Protocol V2 need a call each, which the limits spread over a minute. */
export const service = await startTestService({ markets: 400, v2Share: 0.05, now: upstreamNow });
afterAll(() => service.stop());
// The first run publishes before it has read the histories.
await service.refresh('full');
clock.ahead = POINTER_READ_MS;
export const first = await service.get('/api/markets');
clock.ahead = 0;
/** Before any test calls the upstream. */
export const routesOfRefresh = Object.keys(service.simulator.calls());
export const all = await service.list('/api/markets?limit=1000');
export const top = all.slice(0, 20);
export const token = String(top.find(({ endDate }) => Date.parse(String(endDate)) > began)?.clobTokenId);

/** Runs a check with a clock that moves, which limits of calls need. */
export async function withTime(check: () => Promise<void>): Promise<void> {
  const before = clock.stopped;
  clock.stopped = undefined;
  try {
    await check();
  } finally {
    [clock.ahead, clock.stopped] = [0, before];
  }
}

export async function upstream(path: string, { simulator } = service): Promise<Record<string, unknown>> {
  const response = await fetch(`${simulator.url}${path}`, { headers: { 'user-agent': 'test' } });
  return (await response.json()) as Record<string, unknown>;
}

interface Levels {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}
export const bookOf = async (id: unknown) =>
  (await service.get(`/api/clob/order-book?token_id=${id}`)).json as Levels & Readonly<Record<string, unknown>>;

export interface History {
  readonly history: readonly { readonly t: number; readonly p: number }[];
}

export const codeOf = ({ status, json }: TestResponse): unknown => [status, (json as Row).code];
