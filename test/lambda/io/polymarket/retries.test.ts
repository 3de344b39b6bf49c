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

/** Every call fails at once, and the read has an hour for its pauses. */
async function callsOf(what: string, failure: Failure): Promise<number> {
  let calls = 0;
  const rig = upstreamRig(`http://${what.replaceAll(' ', '-')}.${failure}`, 0.5, async () => {
    calls += 1;
    throw new UpstreamError({ route: 'prices', failure });
  });
  const result = outcome(READS[what]?.(rig, rig.clock.now() + HOUR_MS) ?? Promise.reject());
  await rig.clock.advance(HOUR_MS);
  await result;
  return calls;
}

// Both numbers include the first call.
it.each([
  ['sides of books', 6, 4],
  ['last trades', 2, 2],
  ['markets by their ids', 6, 2],
  // On each of three routes.
  ['histories of a run', 3 * 6, 3 * 2],
  ['histories for a caller', 2 * 2, 2 * 1],
  ['outcomes of the archive', 3, 3],
])(
  '%s take %i calls while the upstream cannot be reached, %i while it hangs',
  async (what, failed, hung) => {
    expect(await callsOf(what, 'network')).toEqual(failed);
    expect(await callsOf(what, 'timeout')).toEqual(hung);
  },
);
