import { BOOK_FAULTS } from './books.ts';
import { Callers } from './callers.ts';
import { CATALOGUE_KINDS, FAULT_KINDS, FAULTY_ROUTES, type Fault } from './faults.ts';
import { Invariants } from './invariants.ts';
import { MINUTE, World, type WorldOptions } from './world.ts';

/**
 * Runs the service in a world with faults that follow from the seed. After each minute, checks what
 * the service published and what callers got.
 *
 * @returns the world after its last minute, with the results of both checks
 */
export async function runFaultyWorld(
  seed: number,
  size: Pick<WorldOptions, 'minutes' | 'markets' | 'maxMarkets'>,
) {
  // A third of the worlds each: at noon, before midnight of a new month, before a new year.
  const starts = ['2026-11-21T12:00:00Z', '2026-11-30T23:45:00Z', '2026-12-31T23:45:00Z'] as const;
  const world = new World({
    ...size,
    seed,
    looseShare: 0.4,
    start: Date.parse(starts[Math.floor(seed / 5) % 3] ?? starts[0]),
    // Half of the worlds, in pairs: seeds 2 and 3, 6 and 7.
    isUnpunctual: seed % 4 > 1,
    addFaults,
  });
  const invariants = new Invariants(world);
  const callers = new Callers(world, invariants.violation);
  await world.run(() => {
    invariants.check();
    void callers.call();
  });
  return { world, invariants, callers };
}

/** Faults whose responses have the status 200 and look right. */
const SILENT_FAULTS: readonly Pick<Fault, 'route' | 'kind' | 'share'>[] = [
  { route: 'prices', kind: 'partial', share: 1 },
  { route: 'last-trades-prices', kind: 'empty', share: 1 },
  { route: 'markets-keyset', kind: 'partial', share: 1 },
];

/**
 * Adds one to five faults of upstream, rejected tokens, killed runs and a faulty table. The seed
 * decides, so that few seeds have every kind.
 */
function addFaults(world: World): void {
  const { dice, polymarket } = world;
  const { seed } = world.options;
  addFirstFault(world);
  if (dice.chance(0.4)) addLoss(world);
  const count = 1 + Math.floor(dice.between(0, 3));
  for (let n = 0; n < count; n++) {
    const fault = anyFault(world);
    // The first one is silent. Only its time is random.
    const silent = SILENT_FAULTS[Math.floor(seed / 3) % SILENT_FAULTS.length];
    polymarket.faults.push(n === 0 ? { ...fault, ...silent } : fault);
  }
  polymarket.books.fault = seed % 2 === 1 ? dice.pick(BOOK_FAULTS) : undefined;
  if (seed % 3 === 1) rejectTokens(world);
  world.killRate = seed % 3 === 0 ? 0.15 : 0;
  world.tableFaultRate = seed % 4 === 0 ? 0.03 : 0;
}

/**
 * In two thirds of the worlds, adds a fault that begins with the service's first run. This run has
 * no earlier list, and it reads histories.
 */
function addFirstFault({ dice, polymarket, start }: World): void {
  const partial = { route: 'batch-prices-history', kind: 'partial', minutes: 30 } as const;
  const unsorted = { route: 'markets-keyset', kind: 'unsorted', minutes: 4 } as const;
  const looping = { route: 'markets-keyset', kind: 'looping', minutes: 4 } as const;
  const fault = dice.pick([partial, partial, unsorted, looping, undefined, undefined]);
  if (!fault) return;
  const { route, kind, minutes } = fault;
  polymarket.faults.push({ route, kind, share: 1, from: start, until: start + minutes * MINUTE });
}

/** Adds a fault that keeps the catalogue's pages from being the whole list for 15 minutes. */
function addLoss({ dice, polymarket, start, options: { minutes } }: World): void {
  const from = start + Math.round(dice.between(0.2, 0.4) * minutes * MINUTE);
  const kind = dice.pick(['hidden', ...CATALOGUE_KINDS] as const);
  polymarket.faults.push({
    route: 'markets-keyset',
    kind,
    share: kind === 'hidden' ? dice.between(0.3, 0.7) : 1,
    from,
    until: from + 15 * MINUTE,
  });
}

/** A random fault of 12 s to 12 minutes. */
function anyFault({ dice, start, options: { minutes } }: World): Fault {
  const from = start + Math.round(dice.between(0.15, 0.75) * minutes * MINUTE);
  const until = from + Math.round(dice.between(0.2, 12) * MINUTE);
  const route = dice.pick(FAULTY_ROUTES);
  const kind = dice.pick(FAULT_KINDS);
  return { route, kind, share: dice.pick([1, 1, 0.5, 0.2] as const), from, until };
}

/** `/prices` rejects every call that contains one of one to eight tokens. */
function rejectTokens({ dice, polymarket, options: { maxMarkets } }: World): void {
  const count = 1 + Math.floor(dice.between(0, 8));
  for (let n = 0; n < count; n++) {
    const market = polymarket.markets[Math.floor(dice.between(0, maxMarkets))];
    if (market) polymarket.rejected.add(market.yes);
  }
}
