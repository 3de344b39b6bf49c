import type { UpstreamErrorDetails } from '../../lambda/io/upstream/upstream-error.ts';
import type { Dice } from '../support/dice.ts';
import { gammaRecord } from '../support/gamma-record.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { Books } from './books.ts';
import { CATALOGUE_KINDS, type Fault, type Lie } from './faults.ts';
import { middle, type Quote, type TrueMarket } from './truth.ts';

/** What the network gives for one call. */
export interface Answer {
  readonly ms: number;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly failure?: UpstreamErrorDetails['failure'] | undefined;
  /** Made when the answer leaves upstream. */
  readonly body: () => unknown;
  /** Of the response header `Age`. */
  readonly ageMs?: number;
}

interface CallBody {
  readonly token_id: string;
  readonly side?: 'BUY' | 'SELL';
}

const PAGE_MARKETS = 100;
/** Gamma's shared cache. */
const PAGE_CACHE_MS = 300_000;

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
  readonly #pages = new Map<string, { readonly madeAt: number; readonly body: unknown }>();

  constructor(clock: ManualClock, dice: Dice, markets: readonly TrueMarket[]) {
    this.#clock = clock;
    this.#dice = dice;
    this.markets = markets;
    this.byToken = new Map(
      markets.flatMap((market) => [market.yes, market.no].map((token) => [token, market])),
    );
  }

  answer(route: string, url: URL, body: unknown): Answer {
    const now = this.#clock.now();
    if (route === 'books') {
      const tokens = (body as CallBody[]).map(({ token_id }) => token_id);
      return this.books.answer(tokens, (token) => this.#open(token), this.#clock.now);
    }
    const ms = Math.round(this.#dice.between(100, 300));
    const fault = this.faults.find(
      (one) => one.route === route && now >= one.from && now < one.until,
    );
    const isHidden = fault?.kind === 'hidden';
    const kind = fault && (isHidden || this.#dice.chance(fault.share)) ? fault.kind : undefined;
    const failed = () => ({ error: 'failed' });
    if (kind === 'error') return { ms, status: 500, body: failed };
    if (kind === 'busy') return { ms, status: 429, retryAfterMs: 60_000, body: failed };
    if (kind === 'forbidden') return { ms, status: 403, body: failed };
    if (kind === 'hang') return { ms: Number.POSITIVE_INFINITY, body: failed };
    if (kind === 'empty') return { ms, body: () => (route === 'last-trades-prices' ? [] : {}) };
    const isPartial = kind === 'partial';
    const isLie = isPartial || CATALOGUE_KINDS.some((lie) => lie === kind);
    const slow = kind === 'slow' ? Math.round(this.#dice.between(3_000, 8_000)) : ms;
    if (
      route === 'prices' &&
      (body as CallBody[]).some(({ token_id }) => this.rejected.has(token_id))
    ) {
      return { ms, status: 400, body: failed };
    }
    if (route === 'markets-keyset') return this.#page(url, slow, isLie ? fault : undefined);
    if (route === 'prices-history' || route === 'v2-prices-history') {
      return { ms: slow, body: () => this.#oneHistory(url.searchParams) };
    }
    return { ms: slow, body: () => this.#body(route, body, isPartial) };
  }

  /** What the pages held for a market at a moment: Gamma's origin. */
  #record(market: TrueMarket, at: number): Record<string, unknown> {
    const quote = market.isFlipped ? mirrored(market.quote(at)) : market.quote(at);
    const price = middle(quote);
    const volume = market.volume(at);
    const tokens = market.isFlipped ? [market.no, market.yes] : [market.yes, market.no];
    return gammaRecord({
      conditionId: market.id,
      question: `Will event ${market.yes.slice(-6)} happen?`,
      slug: `event-${market.yes.slice(-6)}`,
      version: market.version,
      endDate: '2027-06-01T00:00:00Z',
      volume: String(volume),
      volumeNum: volume,
      closed: !market.isOpen(at),
      outcomes: JSON.stringify(market.isFlipped ? ['No', 'Yes'] : ['Yes', 'No']),
      outcomePrices: JSON.stringify([price, 1 - price].map((each) => each.toFixed(6))),
      clobTokenIds: market.version === 'v1' ? JSON.stringify(tokens) : undefined,
      positionIds: market.version === 'v2' ? JSON.stringify(tokens) : undefined,
      bestBid: quote.bid,
      bestAsk: quote.ask ?? 1,
      lastTradePrice: quote.last,
      events: [
        { slug: market.event, title: `Event ${market.event}`, endDate: '2027-06-01T00:00:00Z' },
      ],
    });
  }

  #body(route: string, body: unknown, isPartial: boolean): unknown {
    const now = this.#clock.now();
    const isLost = (): boolean => isPartial && this.#dice.chance(0.45);
    if (route === 'prices') {
      const prices: Record<string, Record<string, string>> = {};
      const lost = new Map<string, boolean>();
      for (const { token_id: token, side = 'BUY' } of body as CallBody[]) {
        const quote = this.#openQuote(token, now);
        if (!lost.has(token)) lost.set(token, isLost());
        if (!quote || lost.get(token)) continue;
        prices[token] = {
          ...prices[token],
          [side]: String((side === 'BUY' ? quote.bid : quote.ask) ?? 0),
        };
      }
      return prices;
    }
    if (route === 'last-trades-prices') {
      return (body as CallBody[]).flatMap(({ token_id }) => {
        const last = this.#openQuote(token_id, now)?.last;
        return last === undefined || isLost()
          ? []
          : [{ token_id, price: String(last), side: 'BUY' }];
      });
    }
    const { markets, start_ts, end_ts, fidelity } = body as Record<
      'start_ts' | 'end_ts' | 'fidelity',
      number
    > & {
      readonly markets: readonly string[];
    };
    const tokens = markets.filter(() => !isLost());
    const span = { from: start_ts, until: end_ts, step: fidelity * 60 };
    return {
      history: Object.fromEntries(tokens.map((token) => [token, this.#history(token, span)])),
    };
  }

  #open(token: string): TrueMarket | undefined {
    const market = this.byToken.get(token);
    return market?.isOpen(this.#clock.now()) ? market : undefined;
  }

  #openQuote(token: string, now: number): Quote | undefined {
    const market = this.#open(token);
    return market ? quoteOf(market, token, now) : undefined;
  }

  /**
   * The middle of the book: 0.5 for an empty or very wide book, as upstream has it. Times are Unix
   * seconds.
   */
  #history(
    token: string,
    { from, until, step }: Readonly<Record<'from' | 'until' | 'step', number>>,
  ) {
    const market = this.byToken.get(token);
    const points: { t: number; p: number }[] = [];
    for (let t = Math.ceil(from / step) * step; market && t <= until; t += step) {
      if (!market.hasHole(t * 1_000))
        points.push({ t, p: middle(quoteOf(market, token, t * 1_000)) });
    }
    return points;
  }

  /** In the form of CLOB, and in that of the Data API, whose window does not include its end. */
  #oneHistory(query: URLSearchParams): unknown {
    const number = (name: string) => Number(query.get(name));
    const isData = query.has('token_id');
    const points = isData
      ? this.#history(query.get('token_id') ?? '', {
          from: number('start'),
          until: number('end') - 1,
          step: number('bucket_seconds'),
        })
      : this.#history(query.get('market') ?? '', {
          from: number('startTs'),
          until: number('endTs'),
          step: number('fidelity') * 60,
        });
    if (!isData) return { history: points };
    const rows = points.map(({ t, p }) => ({
      timestamp: t,
      price: p,
      resolution_seconds: number('bucket_seconds'),
    }));
    return { data: rows, pagination: { has_more: false } };
  }

  /** A page of the catalogue, from a cache that keeps it for five minutes. A lie is not cached. */
  #page(url: URL, ms: number, lie: Lie | undefined): Answer {
    const now = this.#clock.now();
    const cached = this.#pages.get(url.search);
    if (lie) {
      const body = this.#records(url.searchParams, now, lie);
      return { ms, body: () => body, ageMs: 0 };
    }
    if (cached !== undefined && now - cached.madeAt < PAGE_CACHE_MS)
      return { ms, body: () => cached.body, ageMs: now - cached.madeAt };
    const body = this.#records(url.searchParams, now);
    this.#pages.set(url.search, { madeAt: now, body });
    return { ms, body: () => body, ageMs: 0 };
  }

  #records(query: URLSearchParams, now: number, lie?: Lie) {
    const isShown = (market: TrueMarket): boolean =>
      lie?.kind === 'partial'
        ? this.#dice.chance(0.55)
        : lie?.kind !== 'hidden' || shuffled(market) >= lie.share;
    const open = this.markets.filter((market) => market.isOpen(now));
    const record = (market: TrueMarket) => this.#record(market, now);
    const ids = new Set(query.getAll('condition_ids'));
    if (ids.size > 0)
      return { markets: open.filter((one) => ids.has(one.id) && isShown(one)).map(record) };
    const direction = query.get('ascending') === 'true' ? 1 : -1;
    const least = Number(query.get('volume_num_min') ?? 0);
    const rank = (market: TrueMarket): Rank => [
      lie?.kind === 'unsorted' ? shuffled(market) : market.volume(now),
      market.id,
    ];
    const compare = (a: Rank, b: Rank) =>
      direction * (a[0] - b[0]) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
    const cursor = query.get('after_cursor');
    const after = cursor === null ? undefined : (JSON.parse(cursor) as Rank);
    const rows = open
      .filter((market) => market.volume(now) >= least)
      .sort((a, b) => compare(rank(a), rank(b)))
      .filter((market) => after === undefined || compare(rank(market), after) > 0)
      .slice(0, PAGE_MARKETS);
    const last = rows.at(-1);
    const first: Rank = [-direction * Number.MAX_SAFE_INTEGER, ''];
    const isFull = rows.length === PAGE_MARKETS && lie?.kind !== 'partial';
    const next = lie?.kind === 'looping' ? first : last && rank(last);
    return {
      markets: rows.filter(isShown).map(record),
      ...(isFull && { next_cursor: JSON.stringify(next) }),
    };
  }
}

/** A place in a list; the id breaks ties. */
type Rank = readonly [value: number, id: string];

/** From 0 to 1, and the same at each time; has nothing to do with the volume. */
function shuffled({ yes }: TrueMarket): number {
  return Number((BigInt(yes) * 7_919n) % 997n) / 997;
}

/** The books of YES and NO mirror each other. */
function quoteOf(market: TrueMarket, token: string, at: number): Quote {
  return token === market.no ? mirrored(market.quote(at)) : market.quote(at);
}

/** The book of the other outcome. */
function mirrored({ bid, ask, last }: Quote): Quote {
  const other = (price: number): number => Number((1 - price).toFixed(8));
  return {
    ...(ask === undefined ? {} : { bid: other(ask) }),
    ...(bid === undefined ? {} : { ask: other(bid) }),
    ...(last === undefined ? {} : { last: other(last) }),
  };
}
