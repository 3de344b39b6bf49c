/**
 * All markets of a simulator: which events exist when, and their ids and slugs. A live event, such
 * as "Bitcoin Up or Down" for a quarter of an hour, opens and closes while the simulator runs. A
 * lasting event is open from the start. A past event closed before.
 */
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
/** The universe contains live events from this long before the start. They have closed already. */
const CLOSED_BEFORE_MS = 2 * 60 * MINUTE_MS;

/** Generates all markets of a simulator. The same options give the same markets. */
export function generateUniverse(options: UniverseOptions): Universe {
  return new GeneratedUniverse(options);
}

class GeneratedUniverse implements Universe {
  readonly description: string;
  readonly #options: UniverseOptions;
  readonly #liveTopics: readonly Topic[];
  readonly #slugs = new Set<string>();
  /** The live and the lasting markets. Later live markets are appended. */
  readonly #markets: SimulatedMarket[] = [];
  /** The live events that opened up to this time have their markets. */
  #openedUntil: number | undefined;
  #past: SimulatedMarket[] | undefined;

  constructor(options: UniverseOptions) {
    const { markets: count, now, seed } = options;
    this.description = `${count.toLocaleString('en-US')} generated markets (seed ${seed})`;
    this.#options = options;
    this.#liveTopics = liveTopics(options);
    const openLive = this.until(now).filter(({ closesAt }) => closesAt > now);
    // Lasting events fill the rest of the number of markets that are open at the start.
    let id = FIRST_MARKET_ID;
    for (const event of lastingEvents(options, count - openLive.length)) {
      this.#markets.push(...this.#marketsOf(event, id));
      id += event.markets.length;
    }
  }

  until(atMs: number): readonly SimulatedMarket[] {
    const { now, lifecycle } = this.#options;
    const openedUntil = this.#openedUntil;
    if (openedUntil !== undefined && (atMs <= openedUntil || !lifecycle)) return this.#markets;
    for (const topic of this.#liveTopics) {
      const { leadMinutes = 0 } = topic.ends;
      const after = openedUntil ?? now - CLOSED_BEFORE_MS - leadMinutes * MINUTE_MS;
      for (const event of eventsBetween(topic, after, atMs, this.#options)) {
        if (!lifecycle && event.closesAt > now) continue;
        this.#markets.push(...this.#marketsOf(event, Number(event.id) * 10));
      }
    }
    this.#openedUntil = atMs;
    return this.#markets;
  }

  past(): readonly SimulatedMarket[] {
    this.#past ??= this.#generatePast();
    return this.#past;
  }

  #generatePast(): SimulatedMarket[] {
    const markets: SimulatedMarket[] = [];
    const events = pastEvents(this.#options.seed, this.#options.now);
    for (const [n, event] of events.entries()) {
      const withId = withIds(event, FIRST_PAST_EVENT_ID + n, this.#options);
      markets.push(...this.#marketsOf(withId, FIRST_PAST_MARKET_ID + markets.length));
    }
    return markets;
  }

  /** Makes the markets of an event. If another market has the same slug, an id ends the slug. */
  #marketsOf(event: GeneratedEvent, firstId: number): SimulatedMarket[] {
    const { now } = this.#options;
    return event.markets.map((draft, place) => {
      const id = String(firstId + place);
      const words = slugOf(draft.question);
      const slug = this.#slugs.has(words) ? `${words}-${id}` : words;
      this.#slugs.add(slug);
      return generatedMarket({ event, draft, place, id, slug, now });
    });
  }
}

/** No open market is older than this. */
const MAX_AGE_DAYS = 480;

/**
 * Lasting events with a number of markets together: the first events of all topics, then the second
 * ones, and so on.
 */
function lastingEvents(options: UniverseOptions, count: number): GeneratedEvent[] {
  const { seed, now } = options;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const events: GeneratedEvent[] = [];
  let missing = count;
  for (let eventNumber = 0; missing > 0; eventNumber++) {
    for (const [topicNumber, topic] of TOPICS.entries()) {
      const isLive = topic.ends.everyMinutes !== undefined;
      if (isLive || missing === 0) continue;
      const key = mix(mix(seed, topicNumber + 1), eventNumber);
      const draft = eventOf(topic, eventNumber, today, new Draw(key, 'topic'));
      if (!draft) continue;
      const cut = { ...draft, markets: draft.markets.slice(0, missing) };
      missing -= cut.markets.length;
      // An event is between half and twice as old as the time that it has left.
      const daysLeft = Math.max(1, (draft.endsAt - today) / DAY_MS);
      const ageDays = Math.min(MAX_AGE_DAYS, daysLeft * new Draw(key, 'age').between(0.5, 2));
      const createdAt = Math.round(today - ageDays * DAY_MS);
      events.push(withEnd(cut, key, { id: FIRST_EVENT_ID + events.length, createdAt, ...options }));
    }
  }
  return events;
}

/** A live topic has at most this share of the markets at the start. */
const MAX_LIVE_SHARE = 0.05;

/** The live topics with at most `MAX_LIVE_SHARE` of the markets. A live event has one market. */
function liveTopics({ markets }: UniverseOptions): Topic[] {
  return TOPICS.filter((topic) => {
    const { everyMinutes, leadMinutes = 0 } = topic.ends;
    if (everyMinutes === undefined) return false;
    // At any time, this many events of each subject are open.
    const openSlots = Math.ceil(leadMinutes / everyMinutes);
    return openSlots * numbersOf(topic, 0).length <= markets * MAX_LIVE_SHARE;
  });
}

/** The ids of a live topic's events begin at a multiple of this number, by topic. */
const LIVE_IDS = 100_000_000;

/**
 * The events of a live topic that open after one time and up to another. Time is divided into slots
 * of `everyMinutes`. An event for each subject ends with each slot, and opens `leadMinutes` before.
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

/** Adds its prices, its end and its ids to an event that so far has only texts. */
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
