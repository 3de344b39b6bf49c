import { outcomeOf } from '../domain/market-list.ts';
import type { CategorySet } from '../search/category-members.ts';
import type { MarketTable } from './market-table.ts';

/** The market of an event that is most probable: in an event with many outcomes, the favourite. */
export interface TopMarket {
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  readonly groupItemTitle?: string;
  readonly currentProbability: number;
  readonly clobTokenId: string;
  readonly outcome?: string;
}

/** An event as its open markets tell it; the field names are those of a response, in their order. */
export interface EventSummary {
  readonly slug: string;
  readonly title: string;
  /** Sums over its markets, USD. */
  readonly volume: number;
  readonly volume24h: number;
  readonly liquidity: number;
  /** The latest of its markets. */
  readonly endDate: string;
  /** Number of its open markets. */
  readonly markets: number;
  readonly tags: readonly string[];
  readonly topMarket: TopMarket;
}

/** An event with what it is filtered by. */
export interface EventEntry {
  readonly summary: EventSummary;
  /** Milliseconds. */
  readonly endsAt: number;
  /** Those of any of its markets. */
  readonly categories: CategorySet;
  /** Positions of its markets, most probable first. */
  readonly positions: readonly number[];
}

/** The events that have markets in a table, by volume. */
export class EventTable {
  readonly entries: readonly EventEntry[];
  readonly #bySlug: ReadonlyMap<string, EventEntry>;

  constructor(table: MarketTable) {
    const events = [...table.byEvent()].map(([slug, positions]) => entryOf(table, slug, positions));
    this.entries = events.sort(byVolume);
    this.#bySlug = new Map(events.map((entry) => [entry.summary.slug, entry]));
  }

  find(slug: string): EventEntry | undefined {
    return this.#bySlug.get(slug);
  }
}

/** Volume descending, ties by slug: the order of the list of events. */
export function byVolume(a: EventEntry, b: EventEntry): number {
  return b.summary.volume - a.summary.volume || (a.summary.slug < b.summary.slug ? -1 : 1);
}

function entryOf(table: MarketTable, slug: string, inList: readonly number[]): EventEntry {
  const probability = (position: number) => table.market(position).currentProbability;
  const positions = inList.toSorted((a, b) => probability(b) - probability(a) || a - b);
  const markets = positions.map((position) => table.market(position));
  const ends = markets.map(({ endDate }) => endDate).sort((a, b) => Date.parse(b) - Date.parse(a));
  const [endDate = ''] = ends;
  const summary: EventSummary = {
    slug,
    title: markets.find(({ eventTitle }) => eventTitle !== undefined)?.eventTitle ?? slug,
    volume: sum(markets.map(({ volume }) => volume)),
    volume24h: sum(markets.map(({ volume24h = 0 }) => volume24h)),
    liquidity: sum(markets.map(({ liquidity }) => liquidity)),
    endDate,
    markets: markets.length,
    // In the order of the largest market first.
    tags: [...new Set(inList.flatMap((position) => table.market(position).tags))],
    topMarket: topMarket(table, positions[0] ?? 0),
  };
  const categories = positions.reduce((set, position) => set | (table.categories()[position] ?? 0), 0);
  return { summary, endsAt: Date.parse(endDate), categories, positions };
}

function topMarket(table: MarketTable, position: number): TopMarket {
  const market = table.market(position);
  const { id, question, slug, groupItemTitle, currentProbability, clobTokenId } = market;
  const outcome = outcomeOf(market);
  return {
    id,
    question,
    ...(slug === undefined ? {} : { slug }),
    ...(groupItemTitle === undefined ? {} : { groupItemTitle }),
    currentProbability,
    clobTokenId,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** Without the noise that adding binary fractions leaves; upstream's amounts have six decimals. */
function sum(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(6));
}
