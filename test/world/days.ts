import { changesOf, WINDOWS } from './changes.ts';
import { FAULTY_ROUTES } from './faults.ts';
import { MINUTE, START, World } from './world.ts';

const DAY = 24 * 60 * MINUTE;
const STEP_MINUTES = 10;
/** With fewer changes, a run proves nothing. */
const MIN_KNOWN_SHARE = 0.7;

/**
 * Runs the service every ten minutes, with outages and partial answers of a route for hours. On
 * 40 % of the markets, the book is empty or 0.01/0.99 for hours, and upstream's history shows 0.5.
 * The histories of 30 % have holes.
 *
 * @returns the wrong changes, and the windows in which most changes are unknown
 */
export async function checkDays(days: number, seed: number): Promise<number> {
  const life = (number: number) => ({
    start: START - 40 * DAY,
    pastUntil: START - 40 * DAY,
    stepMs: 2 * MINUTE,
    shapes: ['tight', 'empty', 'stub'] as const,
    loose: number % 5 < 2 ? 0.6 : 0,
  });
  const size = {
    markets: 20,
    maxMarkets: 20,
    loose: 0,
    minutes: (days * DAY) / MINUTE,
    stepMinutes: STEP_MINUTES,
  };
  const world = new World({ seed, ...size, life, plan: planOutages });
  const counts = WINDOWS.map(({ field }) => ({ field, tight: 0, known: 0, loose: 0, wrong: 0 }));
  await world.run(() => {
    for (const [key, { expiresAt }] of world.table.items)
      if (Number(expiresAt?.N) * 1_000 < world.clock.now()) world.table.items.delete(key);
    for (const { snapshot } of world.published.splice(0)) {
      for (const market of snapshot.markets) {
        const truth = world.polymarket.byToken.get(market.clobTokenId);
        const changes = new Map(
          truth &&
            changesOf(market, truth, snapshot.asOf).map(({ field, begins }) => [field, begins]),
        );
        for (const count of counts) {
          const { field } = count;
          const begins = changes.get(field);
          count.tight += Number(market.midpoint !== undefined);
          count.known += Number(begins !== undefined);
          count.loose += Number(begins === 'loose');
          if (begins !== 'nowhere') continue;
          count.wrong += 1;
          const found = `${market.clobTokenId}: ${field} ${market[field]}, now ${market.midpoint}`;
          if (count.wrong <= 2) console.log(`  ${new Date(snapshot.asOf).toISOString()} ${found}`);
        }
      }
    }
  });
  const lines = counts.map(
    ({ field, tight, known, loose, wrong }) =>
      `${field} ${known} of ${tight} known, ${loose} since a book that was not tight, ${wrong} wrong`,
  );
  console.log(
    `${days} days, a run every ${STEP_MINUTES} minutes, seed ${seed}: ${lines.join('; ')}`,
  );
  return counts.reduce(
    (sum, { tight, known, wrong }) => sum + wrong + Number(known < MIN_KNOWN_SHARE * tight),
    0,
  );
}

/**
 * Histories without some tokens while a month of them is read, and then about one outage in three
 * days, of up to 20 hours.
 */
function planOutages({ dice, polymarket, start, options: { minutes } }: World): void {
  const omissions = { route: 'batch-prices-history', kind: 'partial', share: 1 } as const;
  polymarket.faults.push({ ...omissions, from: start, until: start + 30 * MINUTE });
  for (let from = start + DAY; from < start + minutes * MINUTE; from += dice.between(1, 5) * DAY) {
    const until = from + dice.between(0.02, 0.8) * DAY;
    polymarket.faults.push({
      route: dice.pick(FAULTY_ROUTES),
      kind: dice.pick(['error', 'error', 'partial'] as const),
      from,
      until,
      share: 1,
    });
  }
}
