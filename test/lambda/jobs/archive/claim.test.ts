import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '../../../../lambda/core/domain/time.ts';
import type { ArchiveStore } from '../../../../lambda/io/archive/archive-store.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { Claim, ClaimedError } from '../../../../lambda/jobs/archive/claim.ts';
import { dayOf } from '../../../../lambda/jobs/archive/day.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import { ArchiveRig, DAY, dateOf, idOf, manifestOf, market, rigWithDays } from './archive-rig.ts';

// The archive's job writes the files of each day. Only one job may write at a time, so it first takes
// a claim: a file such as `claims/000042.json`, of which the highest number counts. A claim lasts a
// minute, and its job renews it every 15 s.
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
    const second = await Claim.take(store, clock);
    await second.check();
    await expect(first.check()).rejects.toThrow('took over');
  });

  it('is free after a release that waits for a renewal', async () => {
    const { store } = new ArchiveRig();
    const clock = new ManualClock();
    // The two writes after the claim: its renewal takes 3 s, its release 1 s.
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
    // The clock of the first job stops, as in a killed process: it renews the claim no more.
    const next = await Claim.take(store, new ManualClock(clock.now() + MINUTE_MS));
    await next.check();
    await expect(alive.check()).rejects.toThrow(ClaimedError);
  });
});

describe('two jobs over one day', () => {
  const day = dayOf(DAY.start, 1);

  /**
   * An archive whose last day is still to be written: market 1 has left, and its outcome is known. A
   * second job over the same files, the rival, cannot read outcomes. So the outcome shows whose files
   * remain.
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

  // Something happens just before a job writes a file. It writes these, in this order: prices,
  // markets, snapshots, rules, outcomes, state.next, manifest, state, index.
  it.each(['prices', 'markets', 'outcomes', 'manifest', 'state'])(
    'leave what the first one wrote, even if the second begins before its %s',
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
    'do not both write: the first ends with its %s if the other took over before',
    async (name) => {
      const { rig } = await rigWithRival();
      const written: string[] = [];
      rig.onWrite = (path) => {
        if (!/^(claims|index)/.test(path)) written.push(path);
        // The other job has the claim: the highest number.
        if (path.startsWith(name)) rig.files.set('claims/999999.json', Buffer.from('{}'));
      };
      await expect(rig.archive.run()).rejects.toThrow('took over');
      expect(written.at(-1)).toContain(name);
    },
  );

  it('leave a day that one wrote before the other had its claim', async () => {
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
  ])('need no release: the claim of a job killed before its %s expires', async (killedAt) => {
    const { rig } = await rigWithRival();
    let isDead = false;
    rig.onWrite = (path) => {
      isDead ||= path.startsWith(killedAt);
      if (isDead) throw new Error('killed');
    };
    await expect(rig.archive.run()).rejects.toThrow('killed');
    const isAfterManifest = ['state.json', 'index'].includes(killedAt);
    expect(rig.files.has(manifestOf(1))).toBe(isAfterManifest);
    const written = [...rig.files].filter(([path]) => /^(prices|markets|snapshots)/.test(path));
    rig.onWrite = () => undefined;
    // The index alone needs no claim.
    if (killedAt !== 'index')
      await expect(rig.archive.run()).rejects.toThrow('Another job writes the archive.');
    rig.now += MINUTE_MS;
    await rig.archive.run();
    await expectWhole(rig);
    for (const [path, bytes] of written) expect(rig.files.get(path)).toEqual(bytes);
    expect(rig.index).toEqual([0, 1].map((n) => [dateOf(n), 'degraded']));
  });
});
