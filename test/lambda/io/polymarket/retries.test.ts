import { describe, expect, it } from '@jest/globals';
import { ClobPrices } from '../../../../lambda/io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../../../lambda/io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../../../lambda/io/polymarket/price-histories.ts';
import { Resolutions } from '../../../../lambda/io/polymarket/resolutions.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { readOutcomes } from '../../../../lambda/jobs/archive/outcomes.ts';
import { outcome } from '../../../support/outcome.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// Each kind of read from Polymarket ("upstream") sets for itself how often it retries a failed call,
// and how often one that hangs. These tests count the calls of each read while all of them fail.

type Rig = ReturnType<typeof upstreamRig>;
type Failure = 'network' | 'timeout';

interface Read {
  readonly what: string;
  readonly read: (rig: Rig, deadline: number) => Promise<unknown>;
  /** All calls while upstream cannot be reached: the first one of each route, and its retries. */
  readonly unreachable: number;
  /** All calls while upstream hangs. */
  readonly hanging: number;
}

const HOUR_MS = 3_600_000;
const DAY = { kind: 'interval', interval: '1d', fidelity: 1 } as const;
/** A market that left the list, so the archive looks for its outcome. */
const LEFT = { id: '0x1', yes: 0, lastTime: 0, lastVolume: 0 };

const READS: readonly Read[] = [
  {
    what: 'sides of books',
    read: ({ upstream }, deadline) => new ClobPrices(upstream('clob')).sides(['1'], deadline),
    unreachable: 1 + 5,
    hanging: 1 + 3,
  },
  {
    what: 'last trades',
    read: ({ upstream }, deadline) => new ClobPrices(upstream('clob')).lastTrades(['1'], deadline),
    unreachable: 1 + 1,
    hanging: 1 + 1,
  },
  {
    what: 'markets by their ids',
    read: ({ upstream }, deadline) =>
      new GammaCatalogue(upstream('gamma')).recordsByIds(['0x1'], deadline),
    unreachable: 1 + 5,
    hanging: 1 + 1,
  },
  {
    what: 'histories of a run, from three routes,',
    read: (rig, deadline) => historiesOf(rig).read(['1'], DAY, deadline),
    unreachable: 3 * (1 + 5),
    hanging: 3 * (1 + 1),
  },
  {
    what: 'histories for a caller, from two routes,',
    read: (rig, deadline) => historiesOf(rig).readLive(['1', '2'], DAY, { deadline }),
    unreachable: 2 * (1 + 1),
    hanging: 2 * 1,
  },
  {
    what: 'outcomes of the archive',
    read: ({ clock, upstream }) =>
      readOutcomes([LEFT], 0, {
        clock,
        resolutions: new Resolutions(upstream('data')),
        logger: { warn: () => undefined },
      }),
    unreachable: 1 + 2,
    hanging: 1 + 2,
  },
];

function historiesOf({ clock, upstream }: Rig): PriceHistories {
  return new PriceHistories({ clob: upstream('clob'), data: upstream('data'), clock });
}

/**
 * Counts the calls of a read. Every call fails at once, and the read has an hour for its pauses.
 */
async function callsOf(read: Read['read'], failure: Failure): Promise<number> {
  let calls = 0;
  const random = 0.5;
  const rig = upstreamRig('http://upstream', random, async () => {
    calls += 1;
    throw new UpstreamError({ route: 'prices', failure });
  });
  const result = outcome(read(rig, rig.clock.now() + HOUR_MS));
  await rig.clock.advance(HOUR_MS);
  await result;
  return calls;
}

describe.each(READS)('$what take', ({ read, unreachable, hanging }) => {
  it(`${unreachable} calls while the upstream cannot be reached`, async () => {
    expect(await callsOf(read, 'network')).toBe(unreachable);
  });

  it(`${hanging} calls while the upstream hangs`, async () => {
    expect(await callsOf(read, 'timeout')).toBe(hanging);
  });
});
