/** Link previews: what other programs show of a link to a market or an event. */
import type { Market } from '../../core/domain/market.ts';
import type { EventSummary } from '../../core/query/market-events.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';

/** The texts of a preview. `cardHtml` writes them as tags into the page. */
export interface Card {
  /** The name in the address of the page: a slug or an id. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The preview of a market; undefined if the list does not have it. */
export function marketCard(snapshot: MarketSnapshot, slug: string): Card | undefined {
  const position = snapshot.positionOf(slug);
  if (position === undefined) return undefined;
  const market: Market = snapshot.market(position);
  const { question, outcome, currentProbability, oneDayPriceChange, volume } = market;
  const price = `${outcome ? `${outcome}: ` : ''}${percent(currentProbability)}`;
  const change = oneDayPriceChange === null ? '' : `, ${changeInWords(oneDayPriceChange)}`;
  return {
    name: market.slug ?? market.id,
    title: `${question} ${price}`,
    description: `${price}${change}. ${dollars(volume)} volume`,
  };
}

/** The preview of an event; undefined if the list has none of its markets. */
export function eventCard(snapshot: MarketSnapshot, slug: string): Card | undefined {
  const event = snapshot.events.bySlug.get(slug);
  if (!event) return undefined;
  const { title, topMarkets, volume, markets }: EventSummary = event.summary;
  const outcomes = topMarkets.map(
    ({ groupItemTitle, outcome, question, currentProbability }) =>
      `${groupItemTitle ?? outcome ?? question} ${percent(currentProbability)}`,
  );
  const size = `${markets === 1 ? 'One market' : `${markets} markets`}, ${dollars(volume)} volume`;
  return { name: slug, title, description: `${outcomes.join(', ')}. ${size}` };
}

/** Adds that the data is simulated, so that no reader takes an invented price for a real one. */
export function withOrigin({ name, title, description }: Card, simulated: boolean): Card {
  return simulated
    ? { name, title: `Simulated: ${title}`, description: `${description}. All data is simulated.` }
    : { name, title, description: `${description} at Polymarket.` };
}

/** Rounds halves up, as the page does: 1.15 is 1.2, although its nearest double is smaller. */
function percent(value: number): string {
  const tenths = Math.round(Number((value * 10).toFixed(6)));
  return `${(tenths / 10).toFixed(1)}%`;
}

/** A change over a day, such as "up 2.5 points today". */
function changeInWords(points: number): string {
  const size = Math.abs(points).toFixed(1);
  if (size === '0.0') return 'unchanged today';
  return `${points > 0 ? 'up' : 'down'} ${size} points today`;
}

/** Such as "$1.2M". */
function dollars(value: number): string {
  return `$${new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)}`;
}

/** The tags of a preview in the head of the page. @param images tags of its pictures */
export function cardHtml({ title, description }: Card, address: string, images: string): string {
  const texts = {
    'og:title': title,
    'og:description': description,
    'og:type': 'website',
    'og:url': address,
  };
  return [
    `<title>${escaped(title)} · Prediction markets</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${escaped(address)}">`,
    ...Object.entries(texts).map(
      ([name, text]) => `<meta property="${name}" content="${escaped(text)}">`,
    ),
    images,
  ].join('\n    ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text for an element or attribute of HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
