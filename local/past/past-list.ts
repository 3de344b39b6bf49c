import { MAX_MARKETS_DEFAULT } from '../../lambda/core/contract/constants.ts';
import type { PricePoint } from '../../lambda/core/domain/change.ts';
import { paddedConditionId } from '../../lambda/core/domain/ids.ts';
import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { readInstant } from '../../lambda/core/domain/moment.ts';
import { MINUTE_MS, type UnixMs } from '../../lambda/core/domain/time.ts';
import { fieldIf, inGroups } from '../../lambda/core/domain/values.ts';
import type { Clock } from '../../lambda/io/platform/clock.ts';
import {
  MAX_CONDITION_IDS,
  type Page,
  pageOf,
} from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { asObject, asText } from '../../lambda/io/polymarket/json-values.ts';
import { readFoundMarket } from '../../lambda/io/polymarket/market-lookup.ts';
import {
  payoutOf,
  RESOLUTIONS_BATCH_CONDITIONS,
  type Resolution,
  Resolutions,
} from '../../lambda/io/polymarket/resolutions.ts';
import type { CallLimits, Upstream } from '../../lambda/io/upstream/client.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';

export interface PastMarket {
  readonly market: CatalogueMarket;
  readonly isListed: boolean;
  readonly closedAt?: UnixMs;
  /** What a share of YES pays, 0 to 1. */
  readonly payout?: number;
  readonly resolvedAt?: UnixMs;
}

/** The prices of a market, or why there are none. */
export interface PastHistory {
  /** The start of the run that read it. */
  readonly asOf: UnixMs;
  /** The market is resolved, so later runs need not read it again. */
  readonly isFinal: boolean;
  readonly points: readonly PricePoint[];
  readonly failure?: string;
}

/** A part of a market that the files lack. `id` is empty if the record has none. */
export interface MissingPart {
  readonly id: string;
  readonly part: 'market' | 'payout' | 'prices';
  readonly reason: string;
}

/** Markets, and those that the service cannot read, by padded id. */
export type Found = Map<string, PastMarket | MissingPart>;

/** The markets of a run. A run reads them once, so an interrupted run ends like any other. */
export interface PastList {
  readonly asOf: UnixMs;
  /** How many closed markets the user requested. */
  readonly requested: number;
  /** By ascending id; each market once. */
  readonly markets: readonly PastMarket[];
  readonly missing: readonly MissingPart[];
  /** By route. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface ListOptions {
  /** How many closed markets, by volume. */
  readonly requested: number;
  /** How many open markets, by volume. @default as the service lists */
  readonly maxListed?: number;
  readonly gamma: Upstream;
  readonly data: Upstream;
  readonly clock: Clock;
}

type RecordPage = Page<PastMarket | MissingPart>;

/** Upstream has this time to answer a call. */
const PATIENCE_MS = 20 * MINUTE_MS;

/** The limits of a call that waits while upstream is away. */
export function patience(clock: Clock): CallLimits {
  return { deadline: clock.now() + PATIENCE_MS, retries: Number.POSITIVE_INFINITY };
}

/** Why upstream did not send a part of the past. @throws errors that concern all parts */
export function reasonOf(error: unknown): string {
  if (!(error instanceof UpstreamError) || error.isForbidden) throw error;
  return error.message;
}

/**
 * Reads the markets of a run, and the payouts of the closed ones.
 *
 * @param found grows while this reads
 * @param before the markets of an earlier run, which stay
 * @throws UpstreamError if Gamma rejects a call or is away for longer than a run waits
 */
export async function readPastList(
  { requested, maxListed = MAX_MARKETS_DEFAULT, gamma, data, clock }: ListOptions,
  asOf: UnixMs,
  before: readonly PastMarket[],
  found: Found,
): Promise<PastList> {
  const calls = { 'markets-keyset': 0, 'v2-resolutions': 0 };
  const readPage = (query: string): Promise<RecordPage> => {
    calls['markets-keyset'] += 1;
    const parse = (body: unknown) => pageOf(body, asRecord);
    const path = `/markets/keyset?limit=100&include_tag=true&${query}`;
    return gamma.request({ route: 'markets-keyset', path, parse, ...patience(clock) });
  };
  await addPages(found, requested, (order) => readPage(`closed=true&${order}`));
  await addPages(found, found.size + maxListed, (order) => readPage(`closed=false&${order}`));
  // Some markets of an earlier run have closed since. The others stay as they were.
  const others = before.filter(({ market }) => !found.has(paddedConditionId(market.id)));
  for (const group of inGroups(others, MAX_CONDITION_IDS)) {
    const ids = group.map(({ market }) => `&condition_ids=${market.id.toLowerCase()}`);
    addAll(found, (await readPage(`closed=true${ids.join('')}`)).records);
  }
  addAll(found, before);
  const closed = marketsOf(found).filter(({ isListed }) => !isListed);
  const missing = [...found.values()].filter((one) => 'reason' in one);
  for (const group of inGroups(closed, RESOLUTIONS_BATCH_CONDITIONS)) {
    calls['v2-resolutions'] += 1;
    const ids = group.map(({ market }) => market.id);
    const read = await new Resolutions(data).read(ids, patience(clock)).catch(reasonOf);
    missing.push(...addPayouts(found, group, read));
  }
  return { asOf, requested, markets: marketsOf(found), missing, calls };
}

/** Adds pages by volume until `count` markets are found, or a page has nothing new or no cursor. */
async function addPages(
  found: Found,
  count: number,
  readPage: (order: string) => Promise<RecordPage>,
): Promise<void> {
  const order = 'order=volumeNum&ascending=false';
  let page = await readPage(order);
  while (
    addAll(found, page.records, count) &&
    page.nextCursor !== undefined &&
    found.size < count
  ) {
    page = await readPage(`${order}&after_cursor=${encodeURIComponent(page.nextCursor)}`);
  }
}

/** The first record of a market counts. @returns whether one is new */
function addAll(
  found: Found,
  records: RecordPage['records'],
  count = Number.POSITIVE_INFINITY,
): boolean {
  const known = found.size;
  for (const one of records) {
    if (found.size === count) break;
    const key = paddedConditionId('market' in one ? one.market.id : one.id);
    if (!found.has(key)) found.set(key, one);
  }
  return found.size > known;
}

/** By ascending id. */
function marketsOf(found: Found): PastMarket[] {
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, one]) => one).filter((one) => 'market' in one);
}

/** Adds what markets pay. @param read their resolutions, or why there are none */
function addPayouts(
  found: Found,
  group: readonly PastMarket[],
  read: ReadonlyMap<string, Resolution> | string,
): MissingPart[] {
  return group.flatMap((one) => {
    const { id, outcomes, clobTokenId } = one.market;
    const key = paddedConditionId(id);
    const resolution = typeof read === 'string' ? undefined : read.get(key);
    const yes = outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId);
    const payout = payoutOf(resolution, yes) ?? one.payout;
    const resolvedAt = fieldIf('resolvedAt', resolution?.resolvedAt);
    if (payout !== undefined) found.set(key, { ...one, payout, ...resolvedAt });
    const reason = typeof read === 'string' ? read : 'not_resolved';
    return payout === undefined ? { id, part: 'payout', reason } : [];
  });
}

function asRecord(value: unknown): PastMarket | MissingPart {
  const record = asObject(value) ?? {};
  const found = readFoundMarket(record, 0) ?? { reason: 'condition_id' };
  const reason = 'reason' in found ? found.reason : 'no_order_book';
  if ('reason' in found || record.enableOrderBook !== true)
    return { id: asText(record.conditionId) ?? '', part: 'market', reason };
  const { market, isClosed, closedAt = '' } = found;
  return { market, isListed: !isClosed, ...fieldIf('closedAt', readInstant(closedAt)) };
}
