/**
 * `npm run world -- --days N` checks only the changes of prices, such as the 7-day change: whether
 * each begins at a true price, and whether the service knows enough of them.
 */
import type { Market } from '../../lambda/core/domain/market.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { type ChangeField, changesOf, type KnownChange, WINDOWS } from './changes.ts';
import { FAULTY_ROUTES } from './faults.ts';
import { MINUTE, START, World } from './world.ts';

const DAY = 24 * 60 * MINUTE;
const RUN_INTERVAL_MINUTES = 10;
/** With fewer changes, a run proves nothing. */
const MIN_KNOWN_SHARE = 0.7;

/**
 * Runs the service in virtual time and prints the counts of each change.
 *
 * @returns whether no known change is wrong, and each change is known for enough markets
 */
export async function checkDays(days: number, seed: number): Promise<boolean> {
  const world = worldOf(days, seed);
  const counts = WINDOWS.map(({ field }) => new ChangeCount(field));
  await world.run(() => {
    deleteExpiredItems(world);
    for (const { snapshot } of world.published.splice(0)) addSnapshot(snapshot, world, counts);
  });
  const heading = `${days} days, a run every ${RUN_INTERVAL_MINUTES} minutes, seed ${seed}`;
  console.log(`${heading}: ${counts.map(String).join('; ')}`);
  return counts.every(({ wrong, isRare }) => wrong === 0 && !isRare);
}

/**
 * A small world with a run every ten minutes, and with outages and partial answers of a route for
 * hours. Two of five markets have an empty book or one of 0.01 and 0.99 for hours, for which
 * upstream's history shows 0.5. The histories of 30 % have holes.
 */
function worldOf(days: number, seed: number): World {
  return new World({
    seed,
    markets: 20,
    maxMarkets: 20,
    looseShare: 0,
    minutes: (days * DAY) / MINUTE,
    stepMinutes: RUN_INTERVAL_MINUTES,
    life: (number) => ({
      start: START - 40 * DAY,
      pastUntil: START - 40 * DAY,
      stepMs: 2 * MINUTE,
      shapes: ['tight', 'empty', 'stub'],
      looseShare: number % 5 < 2 ? 0.6 : 0,
    }),
    addFaults: addOutages,
  });
}

/**
 * Histories without some tokens while a month of them is read, and then about one outage in three
 * days, of up to 20 hours.
 */
function addOutages({ dice, polymarket, start, options: { minutes } }: World): void {
  const omissions = { route: 'batch-prices-history', kind: 'partial', share: 1 } as const;
  polymarket.faults.push({ ...omissions, from: start, until: start + 30 * MINUTE });
  for (let from = start + DAY; from < start + minutes * MINUTE; from += dice.between(1, 5) * DAY) {
    const until = from + dice.between(0.02, 0.8) * DAY;
    const route = dice.pick(FAULTY_ROUTES);
    const kind = dice.pick(['error', 'error', 'partial'] as const);
    polymarket.faults.push({ route, kind, share: 1, from, until });
  }
}

/** DynamoDB deletes expired items. The table in memory does not, and would fill up. */
function deleteExpiredItems({ table, clock }: World): void {
  for (const [key, { expiresAt }] of table.items)
    if (Number(expiresAt?.N) * 1_000 < clock.now()) table.items.delete(key);
}

function addSnapshot(
  { markets, asOf }: SnapshotDraft,
  { polymarket }: World,
  counts: readonly ChangeCount[],
): void {
  for (const market of markets) {
    const truth = polymarket.byToken.get(market.clobTokenId);
    if (!truth) throw new Error(`The list has the unknown token ${market.clobTokenId}`);
    const changes = changesOf(market, truth, asOf);
    for (const count of counts) {
      const change = changes.find(({ field }) => field === count.field);
      count.add(market, change?.begins, asOf);
    }
  }
}

/** The counts of one change, over all markets of all snapshots. */
class ChangeCount {
  readonly field: ChangeField;
  /** Markets with a midpoint, because their book is tight now. The others have no change. */
  tight = 0;
  known = 0;
  /** Known changes since a book that was not tight. */
  loose = 0;
  /** Known changes since no book at all. */
  wrong = 0;

  constructor(field: ChangeField) {
    this.field = field;
  }

  /**
   * Adds a market, and prints the first two wrong changes.
   *
   * @param begins undefined if the service does not know the change
   */
  add(market: Market, begins: KnownChange['begins'] | undefined, asOf: number): void {
    const { clobTokenId, midpoint } = market;
    if (midpoint !== undefined) this.tight += 1;
    if (begins !== undefined) this.known += 1;
    if (begins === 'loose') this.loose += 1;
    if (begins !== 'nowhere') return;
    this.wrong += 1;
    if (this.wrong > 2) return;
    const found = `${this.field} ${market[this.field]}, now ${midpoint}`;
    console.log(`  ${new Date(asOf).toISOString()} ${clobTokenId}: ${found}`);
  }

  get isRare(): boolean {
    return this.known < MIN_KNOWN_SHARE * this.tight;
  }

  toString(): string {
    const { field, tight, known, loose, wrong } = this;
    const since = `${loose} since a book that was not tight`;
    return `${field} ${known} of ${tight} known, ${since}, ${wrong} wrong`;
  }
}
