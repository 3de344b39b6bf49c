import { isConditionId, paddedConditionId } from '../domain/condition-id.ts';
import type { CatalogueRecord, SkipReason } from '../domain/market.ts';
import { optional } from '../domain/optional.ts';
import { firstDefined } from './first-defined.ts';
import { readDetails } from './gamma-details.ts';
import { asInstant, asList, asNumber, asObject, asPrice, asText, type WireObject } from './json-values.ts';
import { readMarketIds } from './market-ids.ts';

/** Most UTF-8 bytes of a market's own fields: real ones have 1–2 KB, and one that is huge must not spoil the list. */
const MAX_MARKET_BYTES = 10_000;

/**
 * Reads one market of Gamma (design 2.1; wire form in upstream.md). Never throws: a record that lacks something
 * it must have is skipped with the reason.
 */
export function readGammaMarket(raw: unknown): CatalogueRecord {
  const record = asObject(raw);
  if (!record) return { kind: 'skipped', reason: 'not_an_object' };
  const given = asText(record.conditionId);
  const conditionId = given !== undefined && isConditionId(given) ? given : undefined;
  if (!isActive(record)) {
    return { kind: 'inactive', ...(conditionId === undefined ? {} : { id: paddedConditionId(conditionId) }) };
  }
  if (conditionId === undefined) return { kind: 'skipped', reason: 'condition_id' };
  const key = paddedConditionId(conditionId);
  const skipped = (reason: SkipReason): CatalogueRecord => ({ kind: 'skipped', id: key, reason });

  const question = asText(record.question);
  if (question === undefined) return skipped('question');
  const labels = asLabels(record.outcomes);
  if (!labels) return skipped('outcomes'); // which token is YES cannot be told
  const ids = readMarketIds(record, conditionId, labels.length);
  if (ids.kind === 'none') return skipped(ids.reason);
  const events = (asList(record.events) ?? []).map(asObject).filter((event) => event !== undefined);
  const endDate = asInstant(record.endDate) ?? firstDefined(events, (event) => asInstant(event.endDate));
  if (endDate === undefined) return skipped('end_date');

  const yes = yesPosition(labels);
  const prices = (asList(record.outcomePrices) ?? []).map(asPrice);
  const market = {
    id: conditionId,
    question,
    ...optional('slug', asText(record.slug)),
    volume: amount(record.volumeNum) ?? amount(record.volume) ?? 0,
    liquidity: amount(record.liquidityNum) ?? amount(record.liquidity) ?? 0,
    endDate,
    yesTokenId: ids.tokenIds[yes] ?? '',
    ...optional('outcomePrice', prices[yes]),
    ...readDetails(record, events, { labels, yes, prices, ids }),
  };
  if (Buffer.byteLength(JSON.stringify(market)) > MAX_MARKET_BYTES) return skipped('too_long');
  return { kind: 'listable', id: key, market };
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

function asLabels(value: unknown): readonly string[] | undefined {
  const labels = asList(value)?.map((label) =>
    typeof label === 'string' ? label.toWellFormed() : undefined,
  );
  return labels?.length && labels.every((label) => label !== undefined) ? (labels as string[]) : undefined;
}

/** The outcome labelled "Yes"; the first one where none is (Up/Down, team names). */
function yesPosition(labels: readonly string[]): number {
  return Math.max(
    0,
    labels.findIndex((label) => label.trim().toLowerCase() === 'yes'),
  );
}

function amount(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
}
