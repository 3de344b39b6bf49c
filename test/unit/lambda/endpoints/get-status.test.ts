import { describe, expect, it } from '@jest/globals';
import { getStatus } from '../../../../lambda/endpoints/get-status.ts';
import { LatestPointer } from '../../../../lambda/snapshots/latest-pointer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemorySnapshotStore } from '../../../support/memory-snapshot-store.ts';

function rig() {
  const clock = new ManualClock();
  const source = new MemorySnapshotStore(clock);
  const rule = { freshSeconds: 120, staleIfErrorSeconds: 0 };
  const endpoint = getStatus({
    pointer: new LatestPointer(source, clock, rule),
    rule,
    refreshIntervalSeconds: 120,
    version: 'v1',
    simulated: true,
    upstream: async () => undefined,
    now: clock.now,
  });
  const read = async () => JSON.parse((await endpoint()).body);
  return { clock, source, endpoint, read };
}

describe('the status', () => {
  it('is empty before the first snapshot, then ok, then stale, each with 200', async () => {
    const { clock, source, read } = rig();
    expect(await read()).toMatchObject({
      status: 'empty',
      ageSeconds: null,
      snapshot: null,
      simulated: true,
    });
    const { id } = await source.publish(clock.now());
    await clock.advance(5_000);
    expect(await read()).toMatchObject({ status: 'ok', ageSeconds: 5, snapshot: id, markets: 1 });
    await clock.advance(145_000);
    expect(await read()).toMatchObject({ status: 'ok', ageSeconds: 150 });
    await clock.advance(100);
    expect(await read()).toMatchObject({ status: 'stale', ageSeconds: 150.1 });
  });

  it('is a 502 with a code, not a 500, when the table cannot tell it', async () => {
    const { source, endpoint } = rig();
    source.failLatest = true;
    await expect(endpoint()).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'snapshot_missing',
      cause: new Error('DynamoDB is not there'),
    });
  });
});
