import { hashText } from '../dataset/hash.ts';
import { mirrored, type PriceModel, type Quote, quoteAt, wandering } from '../dataset/prices.ts';
import type { Instrument, Level, RecordedBook, RecordedHistory, WireMarket } from '../source.ts';
import type { Recordings } from './load.ts';
import { assetIdsIn, eventIn, numberIn, paddedConditionIn, stringIn, stringsIn } from './market-fields.ts';

type Outcome = 0 | 1;

/** Log-odds scale of derived histories: about what the recorded month shows. */
const VOLATILITY = 0.5;
/** A recorded response may fall short of its interval by this much, seconds. */
const SPAN_SLACK = 600;

/**
 * The two tokens of a recorded market. From `startedMs` on the quote stands as recorded; before, it wandered to there.
 * Where the recordings hold a book of one of the tokens, it decides, and the other token sees it in a mirror.
 */
export function instrumentsOf(
  market: WireMarket,
  books: Recordings['books'],
  startedMs: number,
): readonly Instrument[] {
  const tokens = assetIdsIn(market);
  const conditionId = paddedConditionIn(market);
  if (tokens.length !== 2 || conditionId === undefined) return [];
  const recorded = books.find(({ book }) => tokens.includes(String(book.asset_id)));
  const recordedFor: Outcome = recorded?.book.asset_id === tokens[1] ? 1 : 0;
  const tick = Number(recorded?.book.tick_size ?? numberIn(market, 'orderPriceMinTickSize') ?? 0.01);
  const units = Math.round(1 / tick);
  const quote =
    recorded === undefined ? quoteOf(market, units) : bookQuote(recorded.book, units, recordedFor);
  const key = hashText(conditionId);
  const model = modelOf(quote, units, key, startedMs);
  const trade = numberIn(market, 'lastTradePrice');
  return tokens.map((token, index): Instrument => {
    const outcome: Outcome = index === 0 ? 0 : 1;
    const own = (first: Quote) => (outcome === 0 ? first : mirrored(first, units));
    const instrument: Instrument = {
      token,
      opposite: tokens[1 - outcome] ?? '',
      conditionId,
      version: market.version === 'v2' ? 'v2' : 'v1',
      units,
      trading: market.enableOrderBook === true && market.closed !== true,
      // As old as it was when recorded.
      bornAt: startedMs - ageMs(market),
      endedAt: undefined,
      negRisk: market.negRisk === true,
      traded: trade !== undefined || recorded !== undefined,
      about: {
        question: stringIn(market, 'question') ?? '',
        slug: stringIn(market, 'slug') ?? '',
        outcome: stringsIn(market, 'outcomes')[outcome] ?? '',
        eventId: stringIn(eventIn(market) ?? {}, 'id'),
        eventSlug: stringIn(eventIn(market) ?? {}, 'slug'),
      },
      oldBook: false,
      key,
      outcome,
      quote: (atMs) => own(quoteAt(model, Math.min(atMs, startedMs))),
      lastTrade: () => (trade === undefined || outcome === 0 ? trade : 1 - trade),
    };
    if (recorded === undefined) return instrument;
    const same = outcome === recordedFor;
    return {
      ...instrument,
      book: same ? recorded.book : mirroredBook(recorded.book, token),
      history: (from, now) => shifted(recorded.histories, from, now, same),
    };
  });
}

/** The quote in a market's own fields: `bestBid` 0 or absent and `bestAsk` 1 or absent are empty sides. */
function quoteOf(market: WireMarket, units: number): Quote {
  const bid = Math.round((numberIn(market, 'bestBid') ?? 0) * units);
  const ask = Math.round((numberIn(market, 'bestAsk') ?? 1) * units);
  return { bid: bid <= 0 ? null : bid, ask: ask >= units ? null : ask };
}

function bookQuote(book: RecordedBook, units: number, outcome: Outcome): Quote {
  const ticks = (levels: readonly Level[]) => levels.map((level) => Math.round(Number(level.price) * units));
  const bids = ticks(book.bids);
  const asks = ticks(book.asks);
  const quote = {
    bid: bids.length === 0 ? null : Math.max(...bids),
    ask: asks.length === 0 ? null : Math.min(...asks),
  };
  return outcome === 0 ? quote : mirrored(quote, units);
}

/** A price model that arrives at exactly this quote at `startedMs`. */
function modelOf(quote: Quote, units: number, key: number, startedMs: number): PriceModel {
  const { bid, ask } = quote;
  const sides = bid === null ? (ask === null ? 'none' : 'asks-only') : ask === null ? 'bids-only' : 'both';
  const fair = ((bid ?? ask ?? units / 2) + (ask ?? bid ?? units / 2)) / (2 * units);
  const base = Math.log(fair / (1 - fair)) - wandering(key, VOLATILITY, startedMs);
  return { key, base, volatility: VOLATILITY, units, spreadTicks: (ask ?? 0) - (bid ?? 0), sides };
}

function ageMs(market: WireMarket): number {
  const created = Date.parse(stringIn(market, 'createdAt') ?? '');
  const updated = Date.parse(stringIn(market, 'updatedAt') ?? '');
  return updated > created ? updated - created : 0;
}

/** The same book for the holder of the other outcome: bids at 0.30 are asks at 0.70. */
function mirroredBook(book: RecordedBook, token: string): RecordedBook {
  const flip = (levels: readonly Level[]) =>
    levels.map(({ price, size }) => ({ price: String(Number((1 - Number(price)).toFixed(4))), size }));
  return { ...book, asset_id: token, bids: flip(book.asks), asks: flip(book.bids) };
}

/** The shortest recorded history that reaches back far enough, moved so that its last point is now. */
function shifted(
  histories: readonly RecordedHistory[],
  from: number,
  now: number,
  same: boolean,
): RecordedHistory {
  const span = ({ points }: RecordedHistory) => (points.at(-1)?.t ?? 0) - (points[0]?.t ?? 0);
  const history = histories.find((one) => span(one) + SPAN_SLACK >= now - from) ?? histories.at(-1);
  if (history === undefined) return { points: [], fidelity: 0 };
  const shift = now - (history.points.at(-1)?.t ?? now);
  const price = (p: number) => (same ? p : Number((1 - p).toFixed(4)));
  return {
    fidelity: history.fidelity,
    points: history.points.map(({ t, p }) => ({ t: t + shift, p: price(p) })),
  };
}
