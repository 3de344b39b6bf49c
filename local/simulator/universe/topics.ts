/**
 * The topics of the simulated markets, and the texts of their events. topics.json has the topics,
 * names.json the lists of people, teams and things that they are about.
 *
 * For example, the topic "{each} by...?" is about each entry of the list `conflicts`. One of its
 * events is "US x Iran nuclear deal by...?", with a market for each of some months.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FairPrice } from '../prices.ts';
import type { Draw } from '../random.ts';
import {
  DAY_MS,
  dayName,
  HOUR_MS,
  MINUTE_MS,
  monthEnd,
  monthName,
  nextDate,
  type YearlyDate,
  yearOf,
} from './dates.ts';

/** The names of the two outcomes of a market. */
type Pair = readonly [string, string];

/** The texts of a market, without ids, prices and amounts. */
export interface MarketDraft {
  readonly question: string;
  /** The market's short name in the event. */
  readonly group?: string | undefined;
  readonly outcomes: Pair;
  /** The first outcome's chance, unless prices add up to 1. @default drawn */
  readonly chance?: number | undefined;
  /** The market's share of an exclusive event's prices, on any scale. @default by place */
  readonly weight?: number | undefined;
}

/** The texts of an event, without ids and prices. */
export interface EventDraft extends Pick<Topic, 'title' | 'kind' | 'popularity'> {
  readonly tags: readonly string[];
  readonly endsAt: number;
  readonly markets: readonly MarketDraft[];
}

/** The prices of an event, and how it ends. Lists are by the markets' places in the event. */
export interface EventEnd {
  readonly prices: readonly FairPrice[];
  readonly payouts: readonly number[];
  /** When prices begin to run to the payouts. */
  readonly runsFrom: number;
  readonly closesAt: number;
  readonly resolvedAt: number;
}

/** An event with its ids, prices and times (Unix ms). */
export interface GeneratedEvent extends EventDraft, EventEnd {
  readonly key: number;
  readonly id: string;
  readonly slug: string;
  readonly createdAt: number;
  readonly v2: boolean;
  /** Exactly one market resolves to Yes. */
  readonly negRisk: boolean;
}

/**
 * A family of events: a row of topics.json. Texts contain `{each}`, `{month}`, `{day}`, `{year}`
 * and other words in braces; `*` in the question is the market's name. A list is names separated by
 * ` | `, or the name of a list in names.json; `=N` after a name is its weight.
 */
export interface Topic {
  readonly title: string;
  readonly question: string;
  readonly tags: string;
  /**
   * `exclusive`: one market resolves to Yes, so the prices add up to 1 (a negative-risk event).
   * `ladder`: each market implies the one before. `separate`: each has its own price.
   */
  readonly kind: 'exclusive' | 'ladder' | 'separate';
  /** How much the events are traded, 0 to 1. */
  readonly popularity: number;
  /**
   * When the first event ends: on a date, at the end of a month, or at an hour of `day` or one of
   * the next 13 days. Live events end at a regular interval and open `leadMinutes` before.
   */
  readonly ends: {
    readonly date?: YearlyDate;
    readonly month?: number;
    readonly day?: number;
    readonly hour?: number;
    readonly everyMinutes?: number;
    readonly leadMinutes?: number;
  };
  /** The number of events for each subject. They are a month or a day apart. @default 1 */
  readonly periods?: number;
  /** A list: each event is about one entry. */
  readonly each?: string;
  /** A list: in each event, two entries play against each other. */
  readonly pair?: string;
  /** The names of an event's markets: a list, or (`months`) the ends of months to come. */
  readonly markets?: string;
  readonly months?: readonly number[];
  /** @default Yes and No */
  readonly outcomes?: Pair;
  /** The chance of the first outcome. @default the subject's */
  readonly chance?: number;
  /** Further markets, besides those of the list. */
  readonly more?: readonly { question: string; group: string; outcomes?: Pair; chance?: number }[];
}

/** What an event is about. `name` fills `{each}`; other fields fill their own words. */
type Subject = Readonly<Record<string, string | number>>;

/** What the texts of an event's markets follow from. */
interface EventParts {
  readonly subject: Subject;
  /** A UTC midnight. */
  readonly today: number;
  /** Replaces the words in braces of a text. */
  readonly fill: (text: string) => string;
}

/** Reads a JSON file of this folder. */
export function readData(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

const NAMES = readData('names.json') as Readonly<Record<string, string | readonly Subject[]>>;
export const TOPICS = readData('topics.json') as readonly Topic[];

/** The subjects of a list: a list of names.json, or names such as `Arsenal=3 | Chelsea=2`. */
function subjectsOf(list: string): readonly Subject[] {
  const names = NAMES[list] ?? list;
  if (typeof names !== 'string') return names;
  return names.split(' | ').map((entry) => {
    const [name = '', weight] = entry.split('=');
    return weight === undefined ? { name } : { name, weight: Number(weight) };
  });
}

/**
 * The numbers of a topic's events that end together: one for each subject, or one game of a pair.
 *
 * @param slot an interval of a live topic, counted from 1970; 0 for other topics
 */
export function numbersOf(topic: Topic, slot: number): readonly number[] {
  const subjects = topic.pair ? 1 : subjectsOf(topic.each ?? 'once').length;
  return Array.from({ length: subjects }, (_, n) => slot * subjects + n);
}

/** Each later event of a topic is less popular by this much. */
const POPULARITY_LOSS = 0.02;

/**
 * The texts of a topic's event. The events of a round are about all subjects in turn; each round
 * ends a month or a day after the one before. With 3 subjects, events 0 to 2 are the first round.
 *
 * @param eventNumber the number of the event in its topic, from 0
 * @param today a UTC midnight
 * @returns undefined after the last event of the topic
 */
export function eventOf(
  topic: Topic,
  eventNumber: number,
  today: number,
  draw: Draw,
): EventDraft | undefined {
  const { title, ends, pair, kind } = topic;
  // A topic that is about no list has one nameless subject.
  const subjects = subjectsOf(topic.each ?? pair ?? 'once');
  const round = Math.floor(eventNumber / subjects.length);
  // In a pair, each subject meets each other one once.
  const rounds = pair ? subjects.length - 1 : (topic.periods ?? 1);
  const isLive = ends.everyMinutes !== undefined;
  if (!isLive && round >= rounds) return undefined;
  const subject = subjects[eventNumber % subjects.length] ?? {};
  const opponent = opponentOf(subjects, eventNumber, round);
  const endsAt = endOf(topic, { eventNumber, round, today });
  // A live event is about the interval before its end, and its texts can name the start.
  const startsAt = endsAt - (ends.everyMinutes ?? 60) * MINUTE_MS;
  const from = new Date(startsAt).toISOString();
  const words: Subject = {
    ...wordsOf(endsAt),
    ...subject,
    from: from.slice(11, 16),
    fromIso: from.slice(0, 10),
    fromDay: dayName(startsAt),
    each: subject.name ?? '',
    a: subject.name ?? '',
    b: opponent?.name ?? '',
    d: draw.whole(0, 9),
  };
  // Twice, because the text of a subject can contain words in braces, too.
  const fill = (text: string): string => filled(filled(text, words), words);
  return {
    title: fill(title),
    tags: `${topic.tags} ${subject.tag ?? ''}`.trim().split(' '),
    endsAt,
    popularity: Math.max(0, topic.popularity - POPULARITY_LOSS * eventNumber),
    kind,
    markets: marketsOf(topic, { subject, today, fill }),
  };
}

/**
 * The second team of a game: in the first round the subject after the first team, in the second
 * round the one after that, and so on. Topics without pairs ignore it.
 */
function opponentOf(
  subjects: readonly Subject[],
  eventNumber: number,
  round: number,
): Subject | undefined {
  const distance = 1 + (round % (subjects.length - 1));
  return subjects[(eventNumber + distance) % subjects.length];
}

/** The markets of an event: those of its list, then the topic's `more`. */
function marketsOf(topic: Topic, parts: EventParts): readonly MarketDraft[] {
  const { subject, fill } = parts;
  const [first, second] = topic.outcomes ?? ['Yes', 'No'];
  const outcomes: Pair = [fill(first), fill(second)];
  const chanceOfSubject = typeof subject.chance === 'number' ? subject.chance : undefined;
  const listed = namesOf(topic, parts).map(({ name, weight }) => ({
    question: fill(topic.question).replace('*', name),
    group: name === '' ? undefined : name,
    outcomes,
    chance: topic.chance ?? chanceOfSubject,
    weight,
  }));
  const more = (topic.more ?? []).map(({ question, group, ...rest }) => ({
    outcomes,
    ...rest,
    question: fill(question),
    group: fill(group),
  }));
  return [...listed, ...more];
}

/** Replaces each word in braces by its value. Unknown words stay. */
function filled(text: string, words: Subject): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
}

/** The words that follow from the end of an event. */
function wordsOf(endsAt: number): Subject {
  const year = yearOf(endsAt);
  const iso = new Date(endsAt).toISOString();
  return {
    year,
    next: year + 1,
    season: `${year - 1}–${String(year).slice(-2)}`,
    month: monthName(endsAt),
    day: dayName(endsAt),
    start: dayName(endsAt - 7 * DAY_MS),
    iso: iso.slice(0, 10),
    hour: iso.slice(11, 16),
  };
}

/**
 * When an event ends. A live topic has an end in each slot: of one event if it is about pairs,
 * otherwise of one for each subject. Events at an hour are spread over 13 days, unless the topic has
 * a day.
 */
function endOf(
  { ends, pair }: Topic,
  { eventNumber, round, today }: Readonly<Record<'eventNumber' | 'round' | 'today', number>>,
): number {
  const { date, month, day, hour = 0, everyMinutes } = ends;
  if (everyMinutes !== undefined) {
    const slot = pair ? eventNumber : round;
    return slot * everyMinutes * MINUTE_MS;
  }
  if (date) return nextDate(today, date);
  if (month !== undefined) return monthEnd(today, month + round);
  const daysAhead = day === undefined ? 1 + (eventNumber % 13) : day + round;
  return today + daysAhead * DAY_MS + hour * HOUR_MS;
}

/** The names of an event's markets, with their weights. The only market has an empty name. */
function namesOf(
  { markets, months }: Topic,
  { today, fill }: EventParts,
): { readonly name: string; readonly weight?: number | undefined }[] {
  if (markets) {
    return subjectsOf(fill(markets)).map(({ name, weight }) => ({
      name: String(name),
      weight: typeof weight === 'number' ? weight : undefined,
    }));
  }
  const ends = months?.map((count) => monthEnd(today, count));
  if (ends) return ends.map((end) => ({ name: `${dayName(end)}, ${yearOf(end)}` }));
  return [{ name: '' }];
}
