import { describe, expect, it } from '@jest/globals';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import type { StoreStep } from '../../../support/store-fault.ts';
import { setup } from './writer-setup.ts';

describe('the end of a run', () => {
  const END_MS = 20_000;

  /** A store in which a step hangs, with what is published already. */
  async function hanging(step: StoreStep) {
    let hangs = false;
    const rig = setup({
      before: (one) => (hangs && one === step ? new Promise<void>(() => undefined) : Promise.resolve()),
    });
    const published = rig.snapshot();
    await rig.container().publish(published);
    hangs = true;
    return { ...rig, writer: rig.container(), deadline: rig.clock.now() + END_MS };
  }

  type Rig = Awaited<ReturnType<typeof hanging>>;
  it.each<[string, StoreStep, (rig: Rig) => Promise<unknown>]>([
    ['latest', 'read pointer', ({ writer, deadline }) => writer.latest(deadline)],
    ['newest', 'read pointer', ({ writer, deadline }) => writer.newest(deadline)],
    ['newest', 'read chunk', ({ writer, deadline }) => writer.newest(deadline)],
    ['publish', 'read pointer', ({ writer, snapshot, deadline }) => writer.publish(snapshot(), deadline)],
    ['publish', 'write base', publishOther],
    ['publish', 'write chunk', ({ writer, snapshot, deadline }) => writer.publish(snapshot(), deadline)],
    ['publish', 'write pointer', ({ writer, snapshot, deadline }) => writer.publish(snapshot(), deadline)],
    ['recordShrunkRun', 'read pointer', record],
    ['recordShrunkRun', 'write pointer', record],
  ])('ends %s where the store hangs at "%s"', async (_, step, call) => {
    const rig = await hanging(step);
    let outcome = 'goes on';
    void call(rig).catch((error: Error) => {
      outcome = error.name;
    });
    await rig.clock.advance(END_MS - 1);
    expect(outcome).toBe('goes on');
    await rig.clock.advance(1);
    expect(outcome).toBe('TimeoutError');
  });

  /** Another list, so that a base is due. */
  function publishOther({ writer, snapshot, deadline }: Rig): Promise<unknown> {
    return writer.publish(snapshot([snapshotEntry(8)]), deadline);
  }

  function record({ writer, clock, deadline }: Rig): Promise<unknown> {
    const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
    const published = { id: 'any', asOf: clock.now(), markets: 2, counts, shrunkRuns: 0 };
    return writer.recordShrunkRun(published, deadline);
  }

  it('is told to the client, so that its calls are broken off', async () => {
    const clock = new ManualClock();
    const { client, table } = new MemoryTable();
    const signals: (AbortSignal | undefined)[] = [];
    const writer = new SnapshotWriter({
      client: {
        ...client,
        get: async (input, options) => {
          signals.push(options?.signal);
          return await client.get(input);
        },
        put: (_input, options) => {
          signals.push(options?.signal);
          return new Promise(() => undefined);
        },
      },
      table,
      now: clock.now,
      clock,
      keptSeconds: 3_600,
    });
    const { snapshot } = setup();
    void writer.publish(snapshot(), clock.now() + END_MS).catch(() => undefined);
    await clock.advance(END_MS);
    // The read of the pointer has ended in time; the two parts of the base have not.
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, true, true]);
  });
});
