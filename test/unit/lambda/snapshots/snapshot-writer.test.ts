import { describe, expect, it } from '@jest/globals';
import { BASE_VERIFIED_SECONDS } from '../../../../lambda/contract/constants.ts';
import { termsKey } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { ENTRIES, KEPT_SECONDS, setup } from './writer-setup.ts';

describe('a publication', () => {
  it('writes the base, then the chunks, then the pointer', async () => {
    const { steps, container, snapshot } = setup();
    await container().publish(snapshot());
    expect(steps).toEqual(['read pointer', 'write base', 'write base', 'write chunk', 'write pointer']);
  });

  it('tells the bytes and chunks that it has written, with those of the base where it wrote one', async () => {
    const { clock, memory, container, snapshot } = setup();
    const writer = container();
    const bytesOf = (prefix: string) =>
      [...memory.items.values()]
        .filter((item) => item.pk?.S?.startsWith(prefix))
        .reduce((sum, item) => sum + (item.data?.B?.length ?? 0), 0);
    const first = snapshot();
    expect(await writer.publish(first)).toEqual({
      outcome: 'published',
      bytes: bytesOf('BASE#') + bytesOf(`SNAPSHOT#${first.id}`),
      chunks: 3,
    });
    await clock.advance(60_000);
    const second = snapshot();
    expect(await writer.publish(second)).toEqual({
      outcome: 'published',
      bytes: bytesOf(`SNAPSHOT#${second.id}`),
      chunks: 1,
    });
  });

  it('is kept for the time of the stage, in whole seconds that are not fewer', async () => {
    const { clock, memory, container, snapshot } = setup();
    await clock.advance(1);
    const published = snapshot();
    await container().publish(published);
    const { expiresAt } = memory.items.get(`SNAPSHOT#${published.id} 0`) ?? {};
    expect(expiresAt).toEqual({ N: String((clock.now() - 1) / 1_000 + 1 + KEPT_SECONDS) });
  });

  it('is superseded where a newer one is there, whose container still gives its own back', async () => {
    const { clock, container, snapshot } = setup();
    const [slow, fast] = [container(), container()];
    const newer = snapshot([snapshotEntry(7)], { asOf: clock.now() + 1 });
    await fast.publish(newer);
    expect(await slow.publish(snapshot())).toMatchObject({ outcome: 'superseded' });
    expect((await slow.newest())?.published.id).toBe(newer.id);
    expect((await slow.newest())?.entries).toEqual(newer.entries);
  });

  it('that is superseded leaves what its container has published before', async () => {
    const { clock, steps, container, snapshot } = setup();
    const writer = container();
    const newer = snapshot(ENTRIES, { asOf: clock.now() + 1 });
    await writer.publish(newer);
    expect(await writer.publish(snapshot([snapshotEntry(7)]))).toMatchObject({ outcome: 'superseded' });
    steps.length = 0;
    expect((await writer.newest())?.entries).toBe(newer.entries);
    expect(steps).toEqual(['read pointer']);
  });

  it('counts from the base that another container has written', async () => {
    const { clock, container, snapshot } = setup();
    await container().publish(snapshot());
    await clock.advance(60_000);
    expect(await container().publish(snapshot())).toMatchObject({ chunks: 1 });
  });

  it('has a new base where the terms of the one before are lost', async () => {
    const { clock, memory, container, snapshot } = setup();
    const writer = container();
    const first = snapshot();
    await writer.publish(first);
    memory.drop(termsKey(first.id, 0));
    await clock.advance(BASE_VERIFIED_SECONDS * 1_000);
    expect(await writer.publish(snapshot())).toMatchObject({ chunks: 3 });
  });

  it.each([
    ['is five minutes ahead', 300_000, 'superseded'],
    ['is further ahead', 300_001, 'published'],
  ])('replaces what a clock has published that %s', async (_, aheadMs, outcome) => {
    const { clock, container, snapshot } = setup();
    const writer = container();
    await writer.publish(snapshot(ENTRIES, { asOf: clock.now() + aheadMs }));
    expect(await writer.publish(snapshot())).toMatchObject({ outcome });
  });

  it('fails with the error of the store where that fails', async () => {
    const { container, snapshot } = setup({
      before: async (step) => {
        if (step === 'write pointer') throw new Error('throttled');
      },
    });
    await expect(container().publish(snapshot())).rejects.toThrow('throttled');
  });
});

describe('the newest snapshot', () => {
  it('is given back without a read of its parts by the container that has published it', async () => {
    const { steps, container, snapshot } = setup();
    const writer = container();
    const published = snapshot();
    await writer.publish(published);
    steps.length = 0;
    expect((await writer.newest())?.entries).toBe(published.entries);
    expect(steps).toEqual(['read pointer']);
  });

  it('is read by another container, and by the one that has published another before', async () => {
    const { clock, container, snapshot } = setup();
    const [before, other] = [container(), container()];
    await before.publish(snapshot([snapshotEntry(9)]));
    await clock.advance(1);
    const published = snapshot();
    await other.publish(published);
    for (const writer of [before, container()]) {
      const newest = await writer.newest();
      expect(newest?.published).toMatchObject({ id: published.id, markets: 2, shrunkRuns: 0 });
      expect(newest?.entries).toEqual(ENTRIES);
    }
  });

  it('is not there before the first publication', async () => {
    const { container } = setup();
    expect([await container().latest(), await container().newest()]).toEqual([undefined, undefined]);
  });

  it('is found by a consistent read, which costs a whole unit', async () => {
    const { memory, container } = setup();
    await container().latest();
    expect(memory.readUnits).toBe(1);
  });
});

describe('runs that did not dare to publish', () => {
  async function shrunk() {
    const rig = setup();
    const writer = rig.container();
    const catalogueAsOf = rig.clock.now();
    await writer.publish(rig.snapshot(ENTRIES, { catalogueAsOf }));
    for (let runs = 0; runs < 2; runs += 1) {
      const published = await writer.latest();
      if (published) await writer.recordShrunkRun(published);
    }
    await rig.clock.advance(1);
    return { ...rig, writer, catalogueAsOf };
  }

  it('are counted', async () => {
    const { writer } = await shrunk();
    expect(await writer.latest()).toMatchObject({ shrunkRuns: 2 });
  });

  it('stay counted while new prices of the same catalogue are published', async () => {
    const { writer, snapshot, catalogueAsOf } = await shrunk();
    await writer.publish(snapshot(ENTRIES, { catalogueAsOf }));
    expect(await writer.latest()).toMatchObject({ shrunkRuns: 2 });
  });

  it.each([
    ['another catalogue', 1],
    ['a catalogue of unknown time', undefined],
  ])('are forgotten with %s', async (_, later) => {
    const { writer, snapshot, catalogueAsOf } = await shrunk();
    await writer.publish(
      snapshot(ENTRIES, later === undefined ? {} : { catalogueAsOf: catalogueAsOf + later }),
    );
    expect(await writer.latest()).toMatchObject({ shrunkRuns: 0 });
  });

  it('are not counted for a snapshot that is the newest no longer, nor where there is none', async () => {
    const { writer, snapshot } = await shrunk();
    const old = await writer.latest();
    if (!old) throw new Error('Nothing was published');
    await writer.publish(snapshot());
    await writer.recordShrunkRun(old);
    expect(await writer.latest()).toMatchObject({ shrunkRuns: 0 });
    const empty = setup();
    await empty.container().recordShrunkRun(old);
    expect(empty.memory.items.size).toBe(0);
  });

  it('fail with the error of the store where that fails', async () => {
    let isDown = false;
    const { container, snapshot } = setup({
      before: async (step) => {
        if (isDown && step === 'write pointer') throw new Error('throttled');
      },
    });
    const writer = container();
    await writer.publish(snapshot());
    const published = await writer.latest();
    if (!published) throw new Error('Nothing was published');
    isDown = true;
    await expect(writer.recordShrunkRun(published)).rejects.toThrow('throttled');
  });
});
