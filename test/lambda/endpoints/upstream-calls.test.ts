// One request to the service makes a limited number of calls to Polymarket's hosts, even while
// these fail: a failing upstream never multiplies the calls. Here, each endpoint that reads from
// upstream gets its most expensive requests, in every combination of two hosts' states, such as
// "CLOB resets connections and the Data API hangs".

import { describe, expect, it, jest } from '@jest/globals';
import {
  MAX_PRICE_HISTORIES,
  MAX_UPSTREAM_RETRIES,
} from '../../../lambda/core/contract/constants.ts';
import { ROUTES, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import {
  getPricesHistories,
  getPricesHistory,
} from '../../../lambda/endpoints/histories/prices-history.ts';
import { unlistedMarkets } from '../../../lambda/endpoints/markets/single-market.ts';
import { getOrderBook, listOrderBooks } from '../../../lambda/endpoints/order-books/order-books.ts';
import { getMarketRules } from '../../../lambda/endpoints/rules/market-rules.ts';
import { startStubUpstream } from '../../support/stub-upstream.ts';
import {
  type Host,
  NOW,
  type Rig,
  STATES,
  type State,
  UpstreamInStates,
} from './upstream-in-states.ts';

// Each test sends hundreds of requests over real sockets, which takes seconds on an idle machine.
jest.setTimeout(120_000);

const DAY = 86_400;
/** The most pages of one history, each of them a call. */
const MAX_HISTORY_PAGES = 10;

/**
 * A token of Protocol V2: a position id with a valid layout. It is even if `n` is, because one
 * state of a host has data of even tokens only.
 */
const positionId = (n: number) =>
  String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + BigInt(n));
/** Tokens of both protocols. */
const TOKENS = Array.from({ length: MAX_PRICE_HISTORIES }, (_, n) =>
  n % 3 === 0 ? positionId(n) : String(n),
);
const [V2_TOKEN = '', V1_TOKEN = ''] = TOKENS;

const stub = await startStubUpstream();

const NO_CONTEXT = { headers: {}, sent: {}, path: '' };
const histories = (rig: Rig, token_id: readonly string[]) =>
  getPricesHistories(rig)({ parameters: { token_id, interval: '1w' }, ...NO_CONTEXT });
const history = (
  rig: Rig,
  query: { interval?: '1d' | 'max' | '3m'; startTs?: number; fidelity?: number },
  token = V1_TOKEN,
) => getPricesHistory(rig)({ parameters: { token_id: token, ...query }, ...NO_CONTEXT });
const market = (rig: Rig, name: string) => unlistedMarkets(rig)(name, {});
const rules = (rig: Rig, id: string) => getMarketRules(rig)({ parameters: { id }, ...NO_CONTEXT });
const book = (rig: Rig) => getOrderBook(rig)({ parameters: { token_id: V1_TOKEN }, ...NO_CONTEXT });

interface Limit {
  /** The most calls of one request, without retries and further pages. */
  readonly maxCalls: number;
  /** The most expensive requests of the endpoint. */
  readonly requests: readonly ((rig: Rig) => unknown)[];
}

const LIMITS: Partial<Record<RouteName, Limit>> = {
  // Open and closed markets, then the order book or the resolution.
  'get-market': {
    maxCalls: 3,
    requests: [(rig) => market(rig, 'a-market'), (rig) => market(rig, V2_TOKEN)],
  },
  'get-market-rules': {
    maxCalls: 2,
    requests: [(rig) => rules(rig, 'a-market'), (rig) => rules(rig, V2_TOKEN)],
  },
  'get-order-book': {
    maxCalls: 1,
    requests: [book],
  },
  // The whole life fails, then seven windows from both hosts.
  'get-prices-history': {
    maxCalls: 1 + 2 * 7,
    requests: [
      (rig) => history(rig, { interval: '1d' }),
      (rig) => history(rig, { interval: '1d' }, V2_TOKEN),
      (rig) => history(rig, { interval: 'max' }),
      (rig) => history(rig, { interval: '3m', fidelity: 30 }),
      // Nearly 7 and 90 days, for which upstream stores points, by a clock that is a minute ahead.
      // Windows give a fidelity below 180. Else the whole life is first, and windows replace it.
      (rig) => history(rig, { startTs: NOW - 7 * DAY + 120, fidelity: 1 }),
      (rig) => history(rig, { startTs: NOW - 90 * DAY + 61, fidelity: 119 }),
      (rig) => history(rig, { startTs: NOW - 90 * DAY + 61, fidelity: 1_440 }),
    ],
  },
  // All tokens at once, then each of 20.
  'get-prices-histories': {
    maxCalls: 1 + MAX_PRICE_HISTORIES,
    requests: [(rig) => histories(rig, TOKENS), (rig) => histories(rig, TOKENS.slice(0, 1))],
  },
  'list-order-books': {
    maxCalls: 1,
    requests: [(rig) => listOrderBooks(rig)({ parameters: { token_id: TOKENS }, ...NO_CONTEXT })],
  },
};

describe('the calls to the upstreams of one request', () => {
  it('have a maximum for each endpoint that reads from an upstream', () => {
    const live = Object.entries(ROUTES).filter(
      ([, { source }]) => source === 'clob' || source === 'gamma',
    );
    const names = ['get-market', ...live.map(([name]) => name)];
    expect(Object.keys(LIMITS).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(LIMITS) as [RouteName, Limit][])(
    'of %s are at most its maximum, in every state of the upstreams',
    async (name, { maxCalls, requests }) => {
      let mostCalls = 0;
      for (const states of statesFor(name)) {
        // The state "endless" of the Data API is the only one with several pages.
        const pages = states.data === 'endless' ? MAX_HISTORY_PAGES : 1;
        for (const request of requests) {
          const upstream = new UpstreamInStates(stub, states);
          await upstream.run(request);
          const broken = brokenRules(upstream, maxCalls * pages);
          expect({ request: String(request), states, broken }).toMatchObject({ broken: [] });
          if (pages === 1) mostCalls = Math.max(mostCalls, new Set(upstream.calls).size);
        }
      }
      // The maximum is not higher than necessary.
      expect(mostCalls).toBe(maxCalls);
    },
  );
});

/** What is wrong with the calls that one request made. */
function brokenRules({ calls, answered }: UpstreamInStates, maxCalls: number): string[] {
  const different = new Set(calls).size;
  const broken: string[] = [];
  if (different > maxCalls) broken.push(`${different} different calls`);
  if (calls.length > maxCalls + MAX_UPSTREAM_RETRIES)
    broken.push(`${calls.length} calls with retries`);
  if (new Set(answered).size < answered.length) broken.push('a call again that had got data');
  return broken;
}

/**
 * Every combination of the states of two hosts. A single market comes from Gamma and one of the
 * others; histories and books come from CLOB and the Data API.
 */
function statesFor(name: RouteName): Readonly<Record<Host, State>>[] {
  const readsGamma = name === 'get-market' || name === 'get-market-rules';
  const combinations: Readonly<Record<Host, State>>[] = [];
  for (const first of STATES) {
    for (const second of STATES) {
      combinations.push(
        readsGamma
          ? { gamma: first, clob: second, data: second }
          : { gamma: 'answers', clob: first, data: second },
      );
    }
  }
  return combinations;
}
