import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '../../../../lambda/core/domain/time.ts';
import type { ArchiveStore } from '../../../../lambda/io/archive/archive-store.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { Claim, ClaimedError } from '../../../../lambda/jobs/archive/claim.ts';
import { dayOf } from '../../../../lambda/jobs/archive/day.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import { ArchiveRig, DAY, dateOf, idOf, manifestOf, market, rigWithDays } from './archive-rig.ts';

// Only one job of the archive may write at a time. Before it writes, a job takes a claim: a file of
// the store. A claim lasts a minute, and its job renews it every 15 s.
describe('the claim of a job', () => {
  it('belongs to one of two jobs that begin together', async () => {
    const { store } = new ArchiveRig();
    const take = () => outcome(Claim.take(store, new ManualClock()));
    expect(await Promise.all([take(), take()])).toEqual([
      expect.any(Claim),
      expect.any(ClaimedError),
    ]);
  });

  it('is free after its release', async () => {
    const { store } = new ArchiveRig();
    const clock = new ManualClock();
    const first = await Claim.take(store, clock);
    await first.release();
    await (await Claim.take(store, clock)).check();
    await expect(first.check()).rejects.toThrow('took over');
  });

  it('is free after a release that waits for a renewal', async () => {
    const { store } = new ArchiveRig();
    const clock = new ManualClock();
    // The renewal takes longer than the release.
    const delaysMs = [3_000, 1_000];
    const slow: ArchiveStore = {
      ...store,
      write: async (path, bytes) => {
        await sleep(clock, delaysMs.shift() ?? 0);
        await store.write(path, bytes);
      },
    };
    const claim = await Claim.take(slow, clock);
    await clock.advance(15 * SECOND_MS);
    const released = claim.release();
    await clock.advance(4_000);
    await released;
    expect(await outcome(Claim.take(store, clock))).toBeInstanceOf(Claim);
  });

  it('lasts while its job renews it, and a minute longer', async () => {
    const { store } = new ArchiveRig();
    const clock = new ManualClock();
    const alive = await Claim.take(store, clock);
    for (let n = 0; n < 10; n++) {
      await clock.advance(15 * SECOND_MS);
      const sentence = /^Another job writes the archive\. Its claim ends at .* unless/;
      await expect(Claim.take(store, clock)).rejects.toThrow(sentence);
    }
    await alive.check();
    // A killed process has no timers.
    await (await Claim.take(store, new ManualClock(clock.now() + MINUTE_MS))).check();
    await expect(alive.check()).rejects.toThrow(ClaimedError);
  });
});

describe('two jobs over one day', () => {
  const day = dayOf(DAY.start, 1);

  /**
   * A rig whose newest day has an outcome, and a second job over the same files whose upstream
   * fails.
   */
  async function rigWithRival() {
    const rig = await rigWithDays(2, (n) => (n === 0 ? [market(0), market(1)] : [market(0)]));
    await rig.runAfter(0);
    rig.resolutions.set(idOf(1), { status: 'resolved', payouts: [1, 0] });
    rig.now = day.end + 20 * MINUTE_MS;
    const failing = { read: () => Promise.reject(new Error('upstream')) };
    return { rig, rival: rig.archiveWith({ rules: failing, resolutions: failing }) };
  }

  /** The files of the newest day are those that its manifest names, with the outcome in them. */
  async function expectWhole(rig: ArchiveRig): Promise<void> {
    for (const { path, sha256 } of rig.json(manifestOf(1)).files)
      expect([path, rig.sha256Of(path)]).toEqual([path, sha256]);
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ id: idOf(1), payout: 1 }]);
    expect(await rig.followed()).toEqual([idOf(0)]);
  }

  // The tests name the file at whose writing something happens. A job writes the files of the day
  // in this order: prices, markets, snapshots, rules, outcomes, state.next, manifest, state, index.
  it.each(['prices', 'markets', 'outcomes', 'manifest', 'state'])(
    'leave what the first one wrote, even if the second begins at %s',
    async (name) => {
      const { rig, rival } = await rigWithRival();
      let other: Promise<unknown> | undefined;
      rig.onWrite = (path) => {
        if (path.startsWith(name)) other ??= outcome(rival.write(day));
      };
      await rig.archive.run();
      const result = await other;
      expect(result instanceof ClaimedError || result === 'exists').toBe(true);
      await expectWhole(rig);
    },
  );

  it.each(['prices', 'markets', 'snapshots', 'outcomes', 'state.next'])(
    'write nothing after another one took over while the first stood still at %s',
    async (name) => {
      const { rig } = await rigWithRival();
      const written: string[] = [];
      rig.onWrite = (path) => {
        if (!/^(claims|index)/.test(path)) written.push(path);
        // A higher number than any other claim: another job holds it.
        if (path.startsWith(name)) rig.files.set('claims/999999.json', Buffer.from('{}'));
      };
      await expect(rig.archive.run()).rejects.toThrow('took over');
      expect(written.at(-1)).toContain(name);
    },
  );

  it('leave what one wrote before the other had its claim', async () => {
    const { rig } = await rigWithRival();
    const late = rig.archiveWith({
      store: {
        ...rig.store,
        list: async (prefix) => {
          if (!rig.files.has(manifestOf(1))) await rig.archive.write(day);
          return await rig.store.list(prefix);
        },
      },
    });
    expect(await late.write(day)).toBe('exists');
    await expectWhole(rig);
  });

  it('never replace a manifest, even one that appears after the last check of the claim', async () => {
    const { rig } = await rigWithRival();
    const other = Buffer.from('{}');
    rig.onWrite = (path) => {
      if (path.startsWith('state.next')) rig.files.set(manifestOf(1), other);
    };
    await expect(rig.archive.run()).rejects.toThrow('Another job has written');
    expect(rig.files.get(manifestOf(1))).toBe(other);
  });

  it.each([
    'prices',
    'markets',
    'snapshots',
    'outcomes',
    'state.next',
    'manifest',
    'state.json',
    'index',
  ])('need no release: the claim of a job that was killed at %s expires', async (killedAt) => {
    const { rig } = await rigWithRival();
    let isDead = false;
    rig.onWrite = (path) => {
      isDead ||= path.startsWith(killedAt);
      if (isDead) throw new Error('killed');
    };
    await expect(rig.archive.run()).rejects.toThrow('killed');
    // Only these two files follow the manifest.
    expect(rig.json(manifestOf(1)) !== undefined).toBe(['state.json', 'index'].includes(killedAt));
    const written = [...rig.files].filter(([path]) => /^(prices|markets|snapshots)/.test(path));
    rig.onWrite = () => undefined;
    if (killedAt === 'prices')
      await expect(rig.archive.run()).rejects.toThrow('Another job writes the archive.');
    // The time for which a claim lasts.
    rig.now += MINUTE_MS;
    await rig.archive.run();
    await expectWhole(rig);
    for (const [path, bytes] of written) expect(rig.files.get(path)).toEqual(bytes);
    expect(rig.index).toEqual([0, 1].map((n) => [dateOf(n), 'degraded']));
  });
});
