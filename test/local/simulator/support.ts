import { type Simulator, type SimulatorOptions, startSimulator } from '../../../local/simulator/index.ts';

/** A JSON response of the simulator. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export const NOW = Date.parse('2026-11-21T12:00:00Z');

export interface TestSimulator extends Simulator {
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, body: unknown): Promise<TestResponse>;
}

/** A simulator whose clock stands still and whose markets stay open, with 300 markets unless the options say otherwise. */
export async function testSimulator(options: SimulatorOptions = {}): Promise<TestSimulator> {
  const simulator = await startSimulator({ markets: 300, now: () => NOW, lifecycle: false, ...options });
  const send = async (path: string, init: RequestInit): Promise<TestResponse> => {
    const headers = { 'user-agent': 'a-test/1', ...(init.headers as Record<string, string>) };
    const response = await fetch(`${simulator.url}${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  };
  return {
    ...simulator,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

/** A market as Gamma lists it. */
export interface Listed {
  readonly id: string;
  readonly conditionId: string;
  readonly version?: string;
  readonly clobTokenIds?: string | null;
  readonly positionIds?: readonly string[];
  readonly slug: string;
  readonly umaResolutionStatus?: string;
  readonly bestBid?: number;
  readonly volumeNum?: number;
  readonly outcomePrices?: string;
  readonly enableOrderBook: boolean;
}

/** All markets of a list, page by page. */
export async function crawl(simulator: TestSimulator, query: string): Promise<Listed[]> {
  const markets: Listed[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await simulator.get(`/markets/keyset?${query}&after_cursor=${cursor}`);
    markets.push(...(body.markets as Listed[]));
    if (typeof body.next_cursor !== 'string') return markets;
    cursor = body.next_cursor;
  }
}
