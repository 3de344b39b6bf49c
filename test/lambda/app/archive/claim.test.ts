import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Claim, ClaimedError } from '../../../../lambda/app/archive/claim.ts';
import { FolderStore } from '../../../../local/folder-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SECOND = 1_000;

describe('the claim of a job, in a folder', () => {
  let folder: string;
  let clock: ManualClock;
  /** A job of its own: another object over the same folder. */
  const take = () => Claim.take(new FolderStore(folder), clock);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-claim-'));
    clock = new ManualClock();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('belongs to one of many jobs that begin together', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, take));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(19);
    expect(refused.every(({ reason }) => reason instanceof ClaimedError)).toBe(true);
  });

  it('is free after its release', async () => {
    const first = await take();
    await first.release();
    await (await take()).check();
    await expect(first.check()).rejects.toThrow('took over');
  });

  it('lasts while its job renews it, and a minute longer', async () => {
    const alive = await take();
    for (let n = 0; n < 10; n++) {
      await clock.advance(15 * SECOND);
      await expect(take()).rejects.toThrow(/^Another job writes the archive\. Its claim ends at .* unless/);
    }
    await alive.check();
    // A killed process has no timers.
    const dead = new ManualClock(clock.now() + 61 * SECOND);
    const next = await Claim.take(new FolderStore(folder), dead);
    await next.check();
    await expect(alive.check()).rejects.toThrow(ClaimedError);
  });
});
