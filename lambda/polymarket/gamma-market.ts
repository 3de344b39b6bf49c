import type { CatalogueRecord, SkipReason } from '../domain/market.ts';
import { isTokenId } from '../domain/token-id.ts';
import { asInstant, asList, asNumber, asObject, asPrice, asText, type WireObject } from './json-values.ts';

const CONDITION_ID = /^0x[0-9a-f]{64}$/i;

/**
 * Reads one market of Gamma (design 2.1; wire form in upstream.md). Never throws: a record that lacks something
 * it must have is skipped with the reason.
 */
export function readGammaMarket(raw: unknown): CatalogueRecord {
  const record = asObject(raw);
  if (!record) return { kind: 'skipped', reason: 'not_an_object' };
  const conditionId = asText(record.conditionId);
  const id = conditionId !== undefined && CONDITION_ID.test(conditionId) ? conditionId : undefined;
  if (!isActive(record)) return { kind: 'inactive', ...(id === undefined ? {} : { id }) };
  if (id === undefined) return { kind: 'skipped', reason: 'condition_id' };
  const skipped = (reason: SkipReason): CatalogueRecord => ({ kind: 'skipped', id, reason });

  const question = asText(record.question);
  if (question === undefined) return skipped('question');
  const outcomes = asList(record.outcomes);
  if (!outcomes?.length) return skipped('outcomes'); // which token is YES cannot be told
  const yes = yesPosition(outcomes);
  const yesTokenId = asList(record.clobTokenIds)?.[yes];
  if (typeof yesTokenId !== 'string' || !isTokenId(yesTokenId)) return skipped('yes_token');
  const events = (asList(record.events) ?? []).map(asObject).filter((event) => event !== undefined);
  const endDate = asInstant(record.endDate) ?? firstDefined(events, (event) => asInstant(event.endDate));
  if (endDate === undefined) return skipped('end_date');

  return {
    kind: 'listable',
    id,
    market: {
      id,
      question,
      ...optional('slug', asText(record.slug)),
      volume: amount(record.volumeNum) ?? amount(record.volume) ?? 0,
      liquidity: amount(record.liquidityNum) ?? amount(record.liquidity) ?? 0,
      endDate,
      yesTokenId,
      ...optional(
        'eventTitle',
        firstDefined(events, (event) => asText(event.title)),
      ),
      tags: tagSlugs(record.tags),
      ...prices(record, yes),
    },
  };
}

/** Zero, false and empty fields are left out upstream, so an absent flag is false. */
function isActive(record: WireObject): boolean {
  return (
    record.active === true &&
    record.enableOrderBook === true &&
    record.closed !== true &&
    record.archived !== true
  );
}

/** The outcome labelled "Yes"; the first one where none is (Up/Down, team names). */
function yesPosition(outcomes: readonly unknown[]): number {
  const labelled = outcomes.findIndex(
    (label) => typeof label === 'string' && label.trim().toLowerCase() === 'yes',
  );
  return Math.max(0, labelled);
}

/** `bestBid`, `bestAsk` and `lastTradePrice` speak of outcome 0; `outcomePrices` is in the order of the outcomes. */
function prices(record: WireObject, yes: number) {
  const lastTrade = asPrice(record.lastTradePrice);
  const traded = lastTrade !== undefined && lastTrade > 0; // 0 stands for no trade yet
  return {
    ...optional('spread', spread(record)),
    ...optional('lastTradePrice', traded ? (yes === 0 ? lastTrade : 1 - lastTrade) : undefined),
    ...optional('outcomePrice', asPrice(asList(record.outcomePrices)?.[yes])),
  };
}

function spread(record: WireObject): number | undefined {
  const given = asNumber(record.spread);
  if (given !== undefined && given >= 0) return given;
  const bestAsk = asPrice(record.bestAsk);
  if (bestAsk === undefined) return undefined;
  const bestBid = record.bestBid === undefined || record.bestBid === null ? 0 : asPrice(record.bestBid);
  return bestBid === undefined ? undefined : bestAsk - bestBid;
}

function amount(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

function tagSlugs(tags: unknown): string[] {
  return (asList(tags) ?? []).flatMap((tag) => asText(asObject(tag)?.slug) ?? []);
}

function firstDefined<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
