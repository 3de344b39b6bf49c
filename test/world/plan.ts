import { BOOK_FAULTS } from './books.ts';
import { CATALOGUE_KINDS, FAULT_KINDS, FAULTY_ROUTES, type Fault, LIES } from './faults.ts';
import { MINUTE, type World, type WorldOptions } from './world.ts';

/** What a first start meets; its histories are read in the first minutes. */
const FIRST_FAULTS: readonly (
  | readonly [Pick<Fault, 'route' | 'kind'>, minutes: number]
  | undefined
)[] = [
  [{ route: 'batch-prices-history', kind: 'partial' }, 30],
  [{ route: 'batch-prices-history', kind: 'partial' }, 30],
  [{ route: 'markets-keyset', kind: 'unsorted' }, 4],
  [{ route: 'markets-keyset', kind: 'looping' }, 4],
  undefined,
  undefined,
];

/** By the seed: midnight of a month and of New Year, and runs that are not punctual. */
export function conditionsOf(seed: number): Pick<WorldOptions, 'start' | 'isUnpunctual'> {
  const starts = ['2026-11-21T12:00:00Z', '2026-11-30T23:45:00Z', '2026-12-31T23:45:00Z'] as const;
  return {
    start: Date.parse(starts[Math.floor(seed / 5) % 3] ?? starts[0]),
    isUnpunctual: seed % 4 > 1,
  };
}

/** One to three faults of upstream, rejected ids, kills and a faulty table, by the seed. */
export function planFaults(world: World): void {
  const { dice, polymarket, start } = world;
  const { seed, minutes } = world.options;
  planFirstFault(world);
  if (dice.chance(0.4)) planLoss(world);
  const count = 1 + Math.floor(dice.between(0, 3));
  for (let n = 0; n < count; n++) {
    const from = start + Math.round(dice.between(0.15, 0.75) * minutes * MINUTE);
    const until = from + Math.round(dice.between(0.2, 12) * MINUTE);
    const any = { route: dice.pick(FAULTY_ROUTES), kind: dice.pick(FAULT_KINDS) };
    const share = dice.pick([1, 1, 0.5, 0.2] as const);
    const lie = LIES[Math.floor(seed / 3) % LIES.length];
    polymarket.faults.push({ ...any, share, from, until, ...(n === 0 && lie) });
  }
  polymarket.books.fault = seed % 2 === 1 ? dice.pick(BOOK_FAULTS) : undefined;
  const rejected = seed % 3 === 1 ? 1 + Math.floor(dice.between(0, 8)) : 0;
  for (let n = 0; n < rejected; n++) {
    const market = polymarket.markets[Math.floor(dice.between(0, world.options.maxMarkets))];
    if (market) polymarket.rejected.add(market.yes);
  }
  world.killRate = seed % 3 === 0 ? 0.15 : 0;
  world.tableFaultRate = seed % 4 === 0 ? 0.03 : 0;
}

function planFirstFault({ dice, polymarket, start }: World): void {
  const first = dice.pick(FIRST_FAULTS as [(typeof FIRST_FAULTS)[number]]);
  if (!first) return;
  const [fault, minutes] = first;
  polymarket.faults.push({ ...fault, share: 1, from: start, until: start + minutes * MINUTE });
}

/** The pages of the catalogue are not the whole list for a quarter of an hour. */
function planLoss({ dice, polymarket, start, options: { minutes } }: World): void {
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
