import { Draw } from './hash.ts';
import { EVENT_TEMPLATES, type EventTemplate, type MarketTemplate } from './templates.ts';
import { MONTHS, WORDS } from './vocabulary.ts';

/** What an event is about: its title, its tags and the words its markets share. */
export interface EventText {
  readonly title: string;
  readonly tags: readonly string[];
  /** The words of market number `place` of the event. */
  market(place: number): MarketText;
}

export interface MarketText {
  readonly question: string;
  readonly outcomes: readonly [string, string];
  readonly group: string;
}

const TOTAL_WEIGHT = EVENT_TEMPLATES.reduce((sum, template) => sum + template.weight, 0);
/** Coins that have a tag of their own upstream. */
const COIN_TAGS: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  Ethereum: 'ethereum',
  Solana: 'solana',
};
const YES_NO: readonly [string, string] = ['Yes', 'No'];

/** The text of an event that ends at `endMs`, drawn with `key`. */
export function eventText(key: number, endMs: number): EventText {
  const draw = new Draw(key, 'event text');
  const template = chooseTemplate(draw.next() * TOTAL_WEIGHT);
  const words = new Map<string, number>();
  const fill = (text: string, place: number) => fillIn(text, place, words, key, new Date(endMs));
  const title = fill(template.title, 0);
  const coin = COIN_TAGS[/\{coin\}/.test(template.title) ? fill('{coin}', 0) : ''];
  return {
    title,
    tags: coin === undefined ? [...template.tags, 'all'] : [...template.tags, coin, 'all'],
    market(place) {
      const market: MarketTemplate = template.markets[place % template.markets.length] ?? template.markets[0];
      const [first, second] = market.outcomes ?? YES_NO;
      return {
        question: fill(market.question, place),
        outcomes: [fill(first, place), fill(second, place)],
        group: fill(market.group ?? /\{\w+\*\}/.exec(market.question)?.[0] ?? '', place),
      };
    },
  };
}

function chooseTemplate(point: number): EventTemplate {
  let left = point;
  for (const template of EVENT_TEMPLATES) {
    left -= template.weight;
    if (left < 0) return template;
  }
  return EVENT_TEMPLATES[0];
}

function fillIn(text: string, place: number, words: Map<string, number>, key: number, end: Date): string {
  return text.replace(/\{([a-z]+)(2?)(\*?)\}/g, (_, name: string, second: string, starred: string) => {
    if (name === 'year') return String(end.getUTCFullYear());
    if (name === 'month') return MONTHS[end.getUTCMonth()] ?? '';
    if (name === 'day')
      return String(starred === '' ? end.getUTCDate() : ((end.getUTCDate() + place * 7) % 28) + 1);
    const list = WORDS[name] ?? [name];
    let start = words.get(name);
    if (start === undefined) {
      start = new Draw(key, name).whole(0, list.length - 1);
      words.set(name, start);
    }
    const step = (second === '' ? 0 : 1) + (starred === '' ? 0 : place);
    return list[(start + step) % list.length] ?? '';
  });
}

/** A slug as upstream's are: lower-case ASCII words and hyphens. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 90);
}
