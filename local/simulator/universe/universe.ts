/** All markets of a simulator: which events exist when, and their ids and slugs. */
import type { SimulatedMarket, Universe } from '../market.ts';
import { Draw, mix } from '../random.ts';
import { DAY_MS, MINUTE_MS } from './dates.ts';
import { generatedMarket } from './generated-market.ts';
import { endOfEvent } from './lifetime.ts';
import { type PastEvent, pastEvents } from './past.ts';
import {
  type EventDraft,
  eventOf,
  type GeneratedEvent,
  numbersOf,
  TOPICS,
  type Topic,
} from './topics.ts';

/** What a universe follows from. */
interface UniverseOptions {
  readonly seed: number;
  /** Open markets at the start. */
  readonly markets: number;
  /** The share of the events on Protocol V2, 0 to 1. */
  readonly v2Share: number;
  /** The start of the simulator, Unix ms. Dates in questions follow from it. */
  readonly now: number;
  /** Whether live events open and close after the start. */
  readonly lifecycle: boolean;
}

/** The ids of past and present events and markets are in ranges that do not overlap. */
const FIRST_PAST_EVENT_ID = 10_000;
const FIRST_PAST_MARKET_ID = 400_000;
const FIRST_EVENT_ID = 20_000;
const FIRST_MARKET_ID = 500_000;
/** The ids of a live topic's events begin at a multiple of this number, by topic. */
const LIVE_IDS = 100_000_000;
/** A live topic has at most this share of the markets at the start. */
const MAX_LIVE_SHARE = 0.05;
/** The universe contains live events from this long before the start. They have closed already. */
const CLOSED_BEFORE_MS = 2 * 60 * MINUTE_MS;
/** No open market is older than this. */
const MAX_AGE_DAYS = 480;

/**
 * Generates all markets of a simulator from the options alone: lasting, live and past ones. The
 * universe grows as live events open.
 */
export function generateUniverse(options: UniverseOptions): Universe {
  const { markets: count, now, seed, lifecycle } = options;
  const live = liveTopics(options);
  const marketsOf = marketMaker(now);
  const markets: SimulatedMarket[] = [];
  let openedUntil: number | undefined;
  const until = (atMs: number): readonly SimulatedMarket[] => {
    if (openedUntil !== undefined && (atMs <= openedUntil || !lifecycle)) return markets;
    for (const topic of live) {
      const { leadMinutes = 0 } = topic.ends;
      const after = openedUntil ?? now - CLOSED_BEFORE_MS - leadMinutes * MINUTE_MS;
      for (const event of eventsBetween(topic, after, atMs, options)) {
        if (!lifecycle && event.closesAt > now) continue;
        markets.push(...marketsOf(event, Number(event.id) * 10));
      }
    }
    openedUntil = atMs;
    return markets;
  };
  // Lasting events fill the rest of the number of markets that are open at the start.
  const liveCount = until(now).filter(({ closesAt }) => closesAt > now).length;
  let id = FIRST_MARKET_ID;
  for (const event of lastingEvents(options, count - liveCount)) {
    markets.push(...marketsOf(event, id));
    id += event.markets.length;
  }
  let past: SimulatedMarket[] | undefined;
  return {
    description: `${count.toLocaleString('en-US')} generated markets (seed ${seed})`,
    until,
    past() {
      let pastId = FIRST_PAST_MARKET_ID;
      past ??= pastEvents(seed, now).flatMap((event, n) => {
        const found = marketsOf(withIds(event, FIRST_PAST_EVENT_ID + n, options), pastId);
        pastId += found.length;
        return found;
      });
      return past;
    },
  };
}

/** Makes the markets of events. A market whose slug another one has gets its id as an ending. */
function marketMaker(now: number): (event: GeneratedEvent, firstId: number) => SimulatedMarket[] {
  const slugs = new Set<string>();
  return (event, firstId) =>
    event.markets.map((draft, place) => {
      const id = String(firstId + place);
      const words = slugOf(draft.question);
      const slug = slugs.has(words) ? `${words}-${id}` : words;
      slugs.add(slug);
      return generatedMarket({ event, draft, place, id, slug, now });
    });
}

/** Events that stay open: the first ones of all topics, then the second ones, and so on. */
function lastingEvents(options: UniverseOptions, count: number): GeneratedEvent[] {
  const { seed, now } = options;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const events: GeneratedEvent[] = [];
  let missing = count;
  for (let round = 0; missing > 0; round++) {
    for (const [number, topic] of TOPICS.entries()) {
      if (topic.ends.everyMinutes !== undefined) continue;
      const key = mix(mix(seed, number + 1), round);
      const draft = missing > 0 && eventOf(topic, round, today, new Draw(key, 'topic'));
      if (!draft) continue;
      const cut = { ...draft, markets: draft.markets.slice(0, missing) };
      missing -= cut.markets.length;
      const days = Math.max(1, (draft.endsAt - today) / DAY_MS);
      const ageDays = Math.min(MAX_AGE_DAYS, days * new Draw(key, 'age').between(0.5, 2));
      const createdAt = Math.round(today - ageDays * DAY_MS);
      events.push(withEnd(cut, key, { id: FIRST_EVENT_ID + events.length, createdAt, ...options }));
    }
  }
  return events;
}

/** The live topics with at most `MAX_LIVE_SHARE` of the markets. A live event has one market. */
function liveTopics({ markets }: UniverseOptions): Topic[] {
  return TOPICS.filter((topic) => {
    const { everyMinutes, leadMinutes = 0 } = topic.ends;
    if (everyMinutes === undefined) return false;
    const openSlots = Math.ceil(leadMinutes / everyMinutes);
    return openSlots * numbersOf(topic, 0).length <= markets * MAX_LIVE_SHARE;
  });
}

/**
 * The events of a live topic that open after one time and up to another. One or more of them end in
 * each slot, and open `leadMinutes` before.
 */
function eventsBetween(
  topic: Topic,
  after: number,
  until: number,
  options: UniverseOptions,
): GeneratedEvent[] {
  const { everyMinutes = 1, leadMinutes = 0 } = topic.ends;
  const slotMs = everyMinutes * MINUTE_MS;
  const leadMs = leadMinutes * MINUTE_MS;
  const topicNumber = TOPICS.indexOf(topic);
  const events: GeneratedEvent[] = [];
  const firstSlot = Math.floor((after + leadMs) / slotMs) + 1;
  for (let slot = firstSlot; slot * slotMs - leadMs <= until; slot++) {
    const createdAt = slot * slotMs - leadMs;
    for (const eventNumber of numbersOf(topic, slot)) {
      const key = mix(mix(options.seed, topicNumber + 1), eventNumber);
      const draft = eventOf(topic, eventNumber, 0, new Draw(key, 'topic'));
      if (!draft) continue;
      const id = topicNumber * LIVE_IDS + eventNumber;
      events.push(withEnd(draft, key, { id, createdAt, ...options }));
    }
  }
  return events;
}

/** Adds prices, an end and ids to the texts of an event. */
function withEnd(
  draft: EventDraft,
  key: number,
  { id, createdAt, ...options }: Readonly<Record<'id' | 'createdAt' | 'v2Share', number>>,
): GeneratedEvent {
  const end = endOfEvent(draft, key, createdAt);
  return withIds({ ...draft, ...end, key, createdAt }, id, options);
}

/** Adds the ids to an event, and decides its protocol version. */
function withIds(
  event: PastEvent,
  id: number,
  { v2Share }: Pick<UniverseOptions, 'v2Share'>,
): GeneratedEvent {
  return {
    ...event,
    id: String(id),
    slug: `${slugOf(event.title)}-${id}`,
    v2: new Draw(event.key, 'event').chance(v2Share),
    negRisk: event.kind === 'exclusive',
  };
}

/** The slug of a text: lower-case ASCII words and hyphens, as in upstream. */
function slugOf(text: string): string {
  const ascii = text.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  const words = ascii.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '').slice(0, 90);
}
