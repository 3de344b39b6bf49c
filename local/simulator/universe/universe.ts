import type { Universe } from '../market.ts';
import { type FairPrice, logistic, sharedPrices, wave } from '../prices.ts';
import { Draw, mix } from '../random.ts';
import { amountsOf } from './amounts.ts';
import { DAY_MS } from './dates.ts';
import { generatedMarket } from './generated-market.ts';
import { type EventDraft, eventOf, type GeneratedEvent, TOPICS } from './topics.ts';

/** `markets` is their number, `v2Share` (0 to 1) that of the events on Protocol V2, `now` (Unix ms) begins the dates. */
export type UniverseOptions = Readonly<Record<'seed' | 'markets' | 'v2Share' | 'now', number>>;

const FIRST_EVENT_ID = 20_000;
const FIRST_MARKET_ID = 500_000;
const MAX_AGE_DAYS = 480;
/** Log-odds that a price wanders from its base at most: most markets are calm, some are not. */
const RANGES = [0.4, 0.4, 1.2, 1.2, 2.2, 4] as const;

/** A universe that is a function of the options alone. */
export function generateUniverse(options: UniverseOptions): Universe {
  const places = generateEvents(options).flatMap((event) =>
    event.markets.map((draft, place) => ({ event, draft, place })),
  );
  const amounts = amountsOf(
    places.map(({ event, place }) => {
      const draw = new Draw(mix(event.key, place), 'standing');
      const popularity = event.popularity + 0.4 * new Draw(event.key, 'standing').next() + 0.25 * draw.next();
      return { popularity, liquidityLuck: draw.next(), spreadLuck: draw.next() };
    }),
  );
  const slugs = new Set<string>();
  const markets = places.map(({ event, draft, place }, n) => {
    const id = String(FIRST_MARKET_ID + n);
    const words = slugOf(draft.question);
    const slug = slugs.has(words) ? `${words}-${id}` : words;
    slugs.add(slug);
    return generatedMarket({ event, draft, place, id, slug, ...amounts[n] });
  });
  const count = markets.length.toLocaleString('en-US');
  return { description: `${count} generated markets (seed ${options.seed})`, markets };
}

/** The first events of all topics, then their second events, and so on, until there are enough markets. */
function generateEvents({ seed, markets, v2Share, now }: UniverseOptions): GeneratedEvent[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const events: GeneratedEvent[] = [];
  let missing = markets;
  for (let round = 0; missing > 0; round++) {
    for (const [number, topic] of TOPICS.entries()) {
      const key = mix(mix(seed, number + 1), round);
      const draft = missing > 0 && eventOf(topic, round, today, new Draw(key, 'topic'));
      if (!draft) continue;
      const cut = { ...draft, markets: draft.markets.slice(0, missing) };
      missing -= cut.markets.length;
      const draw = new Draw(key, 'event');
      const days = Math.max(1, (draft.endsAt - today) / DAY_MS);
      const ageDays = Math.min(MAX_AGE_DAYS, days * draw.between(0.5, 2));
      const id = String(FIRST_EVENT_ID + events.length);
      events.push({
        ...cut,
        key,
        id,
        slug: `${slugOf(draft.title)}-${id}`,
        createdAt: Math.round(today - ageDays * DAY_MS),
        v2: draw.chance(v2Share),
        negRisk: draft.kind === 'exclusive' || draft.kind === 'range',
        prices: pricesOf(cut, key),
      });
    }
  }
  return events;
}

function pricesOf({ kind, markets }: EventDraft, key: number): FairPrice[] {
  const draw = new Draw(key, 'prices');
  if (kind === 'exclusive' || kind === 'range') {
    if (kind === 'range') return sharedPrices(key, bellShares(markets.length, draw));
    // Neighbours in rank exchange shares, and the names have the ranks in any order.
    const ranked = sharedPrices(key, rankedShares(markets.length, draw));
    const order = ranked.map((price) => ({ price, at: draw.next() })).sort((a, b) => a.at - b.at);
    return order.map(({ price }) => price);
  }
  const range = draw.pick(RANGES);
  if (kind === 'ladder') {
    const top = draw.between(-2, 2.5);
    const step = draw.between(0.5, 1.2);
    return markets.map((_, place) => (atMs: number) => logistic(top - place * step + range * wave(key, atMs)));
  }
  return markets.map(({ chance = draw.between(0.15, 0.85) }, place) => {
    const base = Math.log(chance / (1 - chance));
    return (atMs: number) => logistic(base + range * wave(mix(key, place), atMs));
  });
}

/** A favourite, a few contenders and many outsiders. */
function rankedShares(count: number, draw: Draw): number[] {
  const decay = count < 4 ? draw.between(0.2, 0.7) : draw.pick([0.3, 0.5, 0.8, 1.4]);
  return shared(Array.from({ length: count }, (_, rank) => Math.exp(-decay * rank) + 0.004));
}

/** Ranges near the expected one are likely. */
function bellShares(count: number, draw: Draw): number[] {
  const centre = (count - 1) / 2 + draw.between(-1, 1);
  const width = draw.between(0.8, 1.8);
  return shared(Array.from({ length: count }, (_, n) => Math.exp(-(((n - centre) / width) ** 2) / 2) + 0.002));
}

function shared(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Lower-case ASCII words and hyphens, as upstream's slugs are. */
function slugOf(text: string): string {
  const ascii = text.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  const words = ascii.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '').slice(0, 90);
}
