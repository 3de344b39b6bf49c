import { describe, expect, it } from '@jest/globals';
import { OppositeTokens } from '../../../../lambda/price-memory/opposite-tokens.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const COUNTS = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };

async function published(outcomes = 2) {
  const clock = new ManualClock();
  const { client, table } = new MemoryTable();
  const store = { client, table, now: clock.now };
  const { market, facets } = snapshotEntry(1);
  const third = { label: 'Maybe', tokenId: '3333' };
  const entry = { market, facets: { ...facets, outcomes: [...facets.outcomes, third].slice(0, outcomes) } };
  const publish = () =>
    new SnapshotWriter({ ...store, clock, keptSeconds: 3_600 }).publish({
      id: '20261121T120000000Z-80000000',
      asOf: clock.now(),
      entries: [entry],
      counts: COUNTS,
    });
  const no = facets.outcomes.find(({ tokenId }) => tokenId !== market.clobTokenId)?.tokenId ?? '';
  const reader = new SnapshotReader(store);
  return { clock, publish, reader, yes: market.clobTokenId, no, tokens: new OppositeTokens(reader, clock) };
}

describe('the YES token by the other one', () => {
  it('is that of the listed market', async () => {
    const { publish, tokens, yes, no, clock } = await published();
    await publish();
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBe(yes);
    expect(await tokens.yesTokenOf(yes, clock.now() + 500)).toBeUndefined();
    expect(await tokens.yesTokenOf('4444', clock.now() + 500)).toBeUndefined();
  });

  it('is none of three', async () => {
    const { publish, tokens, no, clock } = await published(3);
    await publish();
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBeUndefined();
  });

  it('is read again after ten minutes', async () => {
    const { publish, tokens, yes, no, clock } = await published();
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBeUndefined();
    await publish();
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBeUndefined();
    await clock.advance(600_001);
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBe(yes);
  });

  it('is not waited for beyond the deadline, and is looked for again the next time', async () => {
    const { publish, reader, yes, no, clock } = await published();
    await publish();
    let hangs = true;
    const latest = () => (hangs ? new Promise<never>(() => undefined) : reader.latest());
    const tokens = new OppositeTokens({ latest, read: (manifest) => reader.read(manifest) }, clock);
    const refused = expect(tokens.yesTokenOf(no, clock.now() + 500)).rejects.toThrow();
    await clock.advance(2_000);
    await refused;
    hangs = false;
    expect(await tokens.yesTokenOf(no, clock.now() + 500)).toBe(yes);
  });
});
