import { expect, it } from '@jest/globals';
import { ClobPrices } from '../../../../lambda/io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../../../lambda/io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../../../lambda/io/polymarket/price-histories.ts';
import { Resolutions } from '../../../../lambda/io/polymarket/resolutions.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { readOutcomes } from '../../../../lambda/jobs/archive/outcomes.ts';
import { outcome } from '../../../support/outcome.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

type Rig = ReturnType<typeof upstreamRig>;
type Failure = 'network' | 'timeout';

const HOUR_MS = 3_600_000;
/** A market that left the list, so the archive looks for its outcome. */
const LEFT = { id: '0x1', yes: 0, lastTime: 0, lastVolume: 0 };
const DAY = { kind: 'interval', interval: '1d', fidelity: 1 } as const;
const histories = ({ clock, upstream }: Rig) =>
  new PriceHistories({ clob: upstream('clob'), data: upstream('data'), clock });

const READS: Readonly<Record<string, (rig: Rig, deadline: number) => Promise<unknown>>> = {
  'sides of books': ({ upstream }, deadline) =>
    new ClobPrices(upstream('clob')).sides(['1'], deadline),
  'last trades': ({ upstream }, deadline) =>
    new ClobPrices(upstream('clob')).lastTrades(['1'], deadline),
  'markets by their ids': ({ upstream }, deadline) =>
    new GammaCatalogue(upstream('gamma')).recordsByIds(['0x1'], deadline),
  'histories of a run': (rig, deadline) => histories(rig).read(['1'], DAY, deadline),
  'histories for a caller': (rig, deadline) =>
    histories(rig).readLive(['1', '2'], DAY, { deadline }),
  'outcomes of the archive': ({ clock, upstream }) =>
    readOutcomes([LEFT], 0, {
      clock,
      resolutions: new Resolutions(upstream('data')),
      logger: { warn: () => undefined },
    }),
};

/** Counts the calls of a read. Every call fails at once, and the read has an hour for its pauses. */
async function callsOf(what: string, failure: Failure): Promise<number> {
  let calls = 0;
  const random = 0.5;
  const rig = upstreamRig('http://upstream', random, async () => {
    calls += 1;
    throw new UpstreamError({ route: 'prices', failure });
  });
  const result = outcome(READS[what]?.(rig, rig.clock.now() + HOUR_MS) ?? Promise.reject());
  await rig.clock.advance(HOUR_MS);
  await result;
  return calls;
}

// The numbers include the first call.
const CALLS = [
  { what: 'sides of books', unreachable: 6, hanging: 4 },
  { what: 'last trades', unreachable: 2, hanging: 2 },
  { what: 'markets by their ids', unreachable: 6, hanging: 2 },
  // A run tries three routes, a read for a caller two.
  { what: 'histories of a run', unreachable: 3 * 6, hanging: 3 * 2 },
  { what: 'histories for a caller', unreachable: 2 * 2, hanging: 2 * 1 },
  { what: 'outcomes of the archive', unreachable: 3, hanging: 3 },
];

it.each(CALLS)(
  '$what take $unreachable calls while the upstream cannot be reached',
  async ({ what, unreachable }) => {
    expect(await callsOf(what, 'network')).toEqual(unreachable);
  },
);

it.each(CALLS)('$what take $hanging calls while the upstream hangs', async ({ what, hanging }) => {
  expect(await callsOf(what, 'timeout')).toEqual(hanging);
});
