// A simulated Polymarket: the answers of its APIs, from markets whose true prices are known.

import type { Dice } from '../support/dice.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { Books } from './books.ts';
import { type Answer, type Fault, failureOf, isPageFault } from './faults.ts';
import { GammaPages } from './gamma-pages.ts';
import { middle, mirrored, type Quote } from './quote.ts';
import type { TrueMarket } from './true-market.ts';

/** One item of the list that is the body of a call for prices, trades or books. */
interface CallItem {
  readonly token_id: string;
  readonly side?: 'BUY' | 'SELL';
}

/** The body of a call for many histories. Times are Unix seconds, a fidelity is in minutes. */
interface HistoriesCall {
  readonly markets: readonly string[];
  readonly start_ts: number;
  readonly end_ts: number;
  readonly fidelity: number;
}

/** A window of a history with the time between two points, in seconds. It includes both ends. */
type Span = Readonly<Record<'from' | 'until' | 'step', number>>;

/** The share of the tokens that a `partial` response lacks. */
const LOST_SHARE = 0.45;

/**
 * A Polymarket whose truth is known at every moment. For example, the best bid of YES, until the
 * route has a fault:
 *
 *     const polymarket = new Polymarket(clock, new Dice(1), [market]);
 *     const items = [{ token_id: market.yes, side: 'BUY' }];
 *     polymarket.answer('prices', url, items).body(); // { [market.yes]: { BUY: '0.271' } }
 *     const [from, until] = [clock.now(), clock.now() + 60_000];
 *     polymarket.faults.push({ route: 'prices', kind: 'error', share: 1, from, until });
 *     polymarket.answer('prices', url, items).status; // 500
 */
export class Polymarket {
  readonly markets: readonly TrueMarket[];
  readonly byToken: ReadonlyMap<string, TrueMarket>;
  readonly faults: Fault[] = [];
  /** Tokens for which `/prices` rejects every call. */
  readonly rejected = new Set<string>();
  readonly books = new Books();
  readonly #clock: ManualClock;
  readonly #dice: Dice;
  readonly #pages: GammaPages;

  constructor(clock: ManualClock, dice: Dice, markets: readonly TrueMarket[]) {
    this.#clock = clock;
    this.#dice = dice;
    this.#pages = new GammaPages(markets, dice);
    this.markets = markets;
    this.byToken = new Map(
      markets.flatMap((market) => [market.yes, market.no].map((token) => [token, market])),
    );
  }

  /** The answer of a route. @param call the parsed body of the call */
  answer(route: string, url: URL, call: unknown): Answer {
    if (route === 'books') {
      const tokens = (call as CallItem[]).map(({ token_id }) => token_id);
      return this.books.answer(tokens, (token) => this.#open(token), this.#clock.now);
    }
    const usualMs = Math.round(this.#dice.between(100, 300));
    const fault = this.#faultOf(route);
    const failure = failureOf(route, fault?.kind, usualMs);
    if (failure) return failure;
    const ms = fault?.kind === 'slow' ? Math.round(this.#dice.between(3_000, 8_000)) : usualMs;
    if (route === 'prices' && (call as CallItem[]).some((one) => this.rejected.has(one.token_id)))
      return { ms: usualMs, status: 400, body: () => ({ error: 'failed' }) };
    if (route === 'markets-keyset') {
      const pageFault = fault && isPageFault(fault) ? fault : undefined;
      const page = this.#pages.page(url.searchParams, this.#clock.now(), pageFault);
      return { ms, body: () => page.body, ageMs: page.ageMs };
    }
    const isPartial = fault?.kind === 'partial';
    return { ms, body: () => this.#body(route, url.searchParams, call, isPartial) };
  }

  /** The fault that this call meets, if any. */
  #faultOf(route: string): Fault | undefined {
    const now = this.#clock.now();
    const fault = this.faults.find(
      (one) => one.route === route && now >= one.from && now < one.until,
    );
    // With `hidden`, every call lacks a share of the markets.
    if (!fault || fault.kind === 'hidden') return fault;
    return this.#dice.chance(fault.share) ? fault : undefined;
  }

  #body(route: string, query: URLSearchParams, call: unknown, isPartial: boolean): unknown {
    const isLost = (): boolean => isPartial && this.#dice.chance(LOST_SHARE);
    switch (route) {
      case 'prices':
        return this.#prices(call as CallItem[], isLost);
      case 'last-trades-prices':
        return this.#lastTrades(call as CallItem[], isLost);
      case 'batch-prices-history':
        return this.#histories(call as HistoriesCall, isLost);
      case 'prices-history':
        return this.#clobHistory(query);
      case 'v2-prices-history':
        return this.#dataHistory(query);
      default:
        throw new Error(`The world has no route ${route}`);
    }
  }

  /** For example `{ [token]: { BUY: '0.271' } }`. A side without an offer is "0". */
  #prices(items: readonly CallItem[], isLost: () => boolean): unknown {
    const prices: Record<string, Record<string, string>> = {};
    const lost = new Map<string, boolean>();
    for (const { token_id: token, side = 'BUY' } of items) {
      const quote = this.#openQuote(token);
      // A lost token lacks both sides.
      if (!lost.has(token)) lost.set(token, isLost());
      if (!quote || lost.get(token)) continue;
      const price = (side === 'BUY' ? quote.bid : quote.ask) ?? 0;
      prices[token] = { ...prices[token], [side]: String(price) };
    }
    return prices;
  }

  #lastTrades(items: readonly CallItem[], isLost: () => boolean): unknown {
    return items.flatMap(({ token_id }) => {
      const last = this.#openQuote(token_id)?.last;
      if (last === undefined || isLost()) return [];
      return [{ token_id, price: String(last), side: 'BUY' }];
    });
  }

  #histories(call: HistoriesCall, isLost: () => boolean): unknown {
    const tokens = call.markets.filter(() => !isLost());
    const span = { from: call.start_ts, until: call.end_ts, step: call.fidelity * 60 };
    const histories = tokens.map((token) => [token, this.#history(token, span)]);
    return { history: Object.fromEntries(histories) };
  }

  #clobHistory(query: URLSearchParams): unknown {
    const from = Number(query.get('startTs'));
    const until = Number(query.get('endTs'));
    const step = Number(query.get('fidelity')) * 60;
    return { history: this.#history(query.get('market') ?? '', { from, until, step }) };
  }

  #dataHistory(query: URLSearchParams): unknown {
    const from = Number(query.get('start'));
    // A window of the Data API does not include its end.
    const until = Number(query.get('end')) - 1;
    const step = Number(query.get('bucket_seconds'));
    const points = this.#history(query.get('token_id') ?? '', { from, until, step });
    return {
      data: points.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: step })),
      pagination: { has_more: false },
    };
  }

  /** The middles of the book: 0.5 for an empty or very wide one, as upstream has it. */
  #history(token: string, { from, until, step }: Span): { t: number; p: number }[] {
    const market = this.byToken.get(token);
    const points: { t: number; p: number }[] = [];
    if (!market) return points;
    for (let t = Math.ceil(from / step) * step; t <= until; t += step) {
      const at = t * 1_000;
      if (!market.hasHole(at)) points.push({ t, p: middle(quoteOf(market, token, at)) });
    }
    return points;
  }

  #open(token: string): TrueMarket | undefined {
    const market = this.byToken.get(token);
    return market?.isOpen(this.#clock.now()) ? market : undefined;
  }

  #openQuote(token: string): Quote | undefined {
    const market = this.#open(token);
    return market && quoteOf(market, token, this.#clock.now());
  }
}

/** The book of YES or of NO. They mirror each other. */
function quoteOf(market: TrueMarket, token: string, at: number): Quote {
  return token === market.no ? mirrored(market.quote(at)) : market.quote(at);
}
