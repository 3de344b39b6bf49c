// A fake of Polymarket's three hosts, each of them in one state, such as "hang". It counts the
// calls that one request to the service makes. For example:
//
//     const states = { clob: 'reset', data: 'answers', gamma: 'answers' };
//     const upstream = new UpstreamInStates(stub, states);
//     await upstream.run((rig) => getOrderBook(rig)({ parameters: { token_id: '1' }, … }));
//     expect(upstream.calls).toHaveLength(2); // the call to CLOB, and its retry

import type { ServerResponse } from 'node:http';
import { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../../lambda/io/upstream/upstream-error.ts';
import { gammaRecord } from '../../support/gamma-record.ts';
import { orderBook } from '../../support/order-book.ts';
import { outcome } from '../../support/outcome.ts';
import {
  hang,
  type ReceivedRequest,
  type Reply,
  reset,
  type StubUpstream,
  send,
} from '../../support/stub-upstream.ts';
import { liveRig } from '../../support/upstream-rig.ts';

export const STATES = [
  'answers',
  /** Answers without data. */
  'empty',
  /** Has data of even tokens only; Gamma's market is open. */
  'some',
  /** Has data for the first call of each route, and resets all later connections. */
  'first',
  /** Has a next page forever. */
  'endless',
  '500',
  '400',
  'reset',
  'hang',
] as const;
export type State = (typeof STATES)[number];
export type Host = 'clob' | 'data' | 'gamma';
export type Rig = ReturnType<typeof liveRig>;

/** The time of the rig's clock, in Unix seconds. */
export const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;

/** The replies of the states in which a host has no data. */
const FAILURES: Partial<Record<State, Reply>> = {
  500: send({ error: 'no' }, 500),
  400: send({ error: 'no' }, 400),
  reset,
  hang,
};

export class UpstreamInStates {
  /** Each call to upstream as a text, in order. */
  readonly calls: string[] = [];
  /** Those of them that got data. */
  readonly answered: string[] = [];
  readonly #states: Readonly<Record<Host, State>>;
  readonly #rig: Rig;
  /** How many calls will end before time passes: all that have begun, except hanging ones. */
  #active = 0;

  constructor(stub: StubUpstream, states: Readonly<Record<Host, State>>) {
    this.#states = states;
    this.#rig = liveRig(stub.url, this.#call);
    stub.reply((response, request) => this.#reply(response, request));
  }

  /** Makes a request to the service, until its last call has ended or timed out. */
  async run(request: (rig: Rig) => unknown): Promise<void> {
    let isDone = false;
    const result = outcome((async () => request(this.#rig))()).finally(() => {
      isDone = true;
    });
    for (await turn(); !isDone; await turn()) {
      if (this.#active === 0) await this.#rig.clock.advance(500);
    }
    if ((await result) instanceof Error) await this.#endOtherCalls();
  }

  /** After one call has failed, the calls for other windows of a history go on. */
  async #endOtherCalls(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      while (this.#active > 0) await turn();
      await this.#rig.clock.advance(2_000);
    }
  }

  /** The rig makes each call by this function. */
  readonly #call: typeof callOnce = async (...call) => {
    this.#active += 1;
    try {
      return await callOnce(...call);
    } catch (error) {
      // Only hanging calls time out. `#reply` has subtracted them already.
      if (error instanceof UpstreamError && error.failure === 'timeout') this.#active += 1;
      throw error;
    } finally {
      this.#active -= 1;
    }
  };

  #reply(response: ServerResponse, request: ReceivedRequest): void {
    const state = this.#stateFor(request.url);
    const call = JSON.stringify([request.method, request.url, request.body]);
    this.calls.push(call);
    if (state === 'hang') this.#active -= 1;
    const failure = FAILURES[state];
    if (!failure) this.answered.push(call);
    const reply = failure ?? send(bodyOf(request, state));
    reply(response, request);
  }

  #stateFor(url: string): State {
    const state = this.#states[hostOf(url)];
    const [path = ''] = url.split('?');
    const isLater = this.calls.some((call) => call.includes(path));
    return state === 'first' && isLater ? 'reset' : state;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function hostOf(url: string): Host {
  if (url.startsWith('/v2/')) return 'data';
  return url.startsWith('/markets') ? 'gamma' : 'clob';
}

/** What a route responds in a state that has data. */
function bodyOf({ url, body }: ReceivedRequest, state: State): unknown {
  const { pathname, searchParams: query } = new URL(url, 'http://upstream.test');
  const points = state === 'empty' ? [] : [{ t: NOW - 90, p: 0.5 }];
  switch (pathname) {
    case '/book':
      return orderBook(['0.4'], ['0.5'], { asset_id: query.get('token_id') });
    case '/books':
      return [];
    case '/prices-history':
      return { history: points };
    case '/batch-prices-history': {
      const { markets } = body as { markets: readonly string[] };
      const isKnown = (token: string) => state !== 'some' || BigInt(token) % 2n === 0n;
      const histories = markets.map((token) => [token, isKnown(token) ? points : []]);
      return { history: Object.fromEntries(histories) };
    }
    case '/v2/prices-history':
      return {
        data: points.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: 60 })),
        ...(state === 'endless' && { pagination: pageAfter(query.get('cursor')) }),
      };
    case '/v2/resolutions':
      return { data: [] };
    default:
      return { markets: marketsFor(query.get('closed') === 'true', state) };
  }
}

const pageAfter = (cursor: string | null) => ({
  has_more: true,
  next_cursor: String(Number(cursor ?? 0) + 1),
});

/** The only market of Gamma. It is closed, except in the state "some". */
function marketsFor(closed: boolean, state: State): readonly unknown[] {
  const isClosed = state !== 'some';
  const isFound = closed === isClosed && state !== 'empty';
  return isFound ? [gammaRecord({ slug: 'a-market', closed: isClosed })] : [];
}
