import { describe, expect, it } from '@jest/globals';
import { Resolutions } from '../../../../lambda/io/polymarket/resolutions.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// A resolution says how a market ended: its status, and what one share of each outcome pays. The
// Data API has the resolutions by the condition ids of the markets.

const stub = await startStubUpstream();

/** Condition ids of 32 and of 31 bytes. */
const V1 = `0x${'a'.repeat(64)}`;
const V2 = `0x${'b'.repeat(62)}`;
/** Upstream counts payouts in millionths of a dollar. */
const RESOLVED = {
  condition_id: V1,
  status: 'resolved',
  payouts: [1_000_000, 0],
  resolved_at: '2026-09-27T17:00:00Z',
};
const RESOLVED_AT = Date.parse('2026-09-27T17:00:00Z');

async function read(ids: readonly string[], reply: unknown) {
  stub.reply(send(reply));
  const { clock, upstream } = upstreamRig(stub.url);
  const result = await outcome(
    new Resolutions(upstream('data')).read(ids, { deadline: clock.now() + 100 }),
  );
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe('resolutions', () => {
  it('are read with one call for all conditions, by ids of 64 digits', async () => {
    const found = await read([V1, V2], {
      data: [
        RESOLVED,
        { condition_id: `${V2}00`, status: 'proposed', payouts: null, resolved_at: null },
      ],
    });
    expect(found).toEqual({
      [V1]: { status: 'resolved', payouts: [1, 0], resolvedAt: RESOLVED_AT },
      [`${V2}00`]: { status: 'proposed' },
    });
    expect(stub.requests).toMatchObject([
      { method: 'GET', url: `/v2/resolutions?condition=${V1},${V2}00` },
    ]);
  });

  it.each<[string, object, object]>([
    ['a split', { payouts: [500_000, 500_000] }, { payouts: [0.5, 0.5] }],
    [
      'a time in Unix seconds',
      { resolved_at: String(RESOLVED_AT / 1_000) },
      { resolvedAt: RESOLVED_AT },
    ],
    ['no time', { resolved_at: undefined }, { resolvedAt: undefined }],
    ['one payout', { payouts: [1_000_000] }, { payouts: undefined }],
    ['a negative payout', { payouts: [-1, 1_000_001] }, { payouts: undefined }],
    ['a payout above a dollar', { payouts: [1_000_001, 0] }, { payouts: undefined }],
    ['a payout that is no number', { payouts: ['yes', 0] }, { payouts: undefined }],
  ])('with %s', async (_, changed, expected) => {
    const found = await read([V1], { data: [{ ...RESOLVED, ...changed }] });
    expect(found).toEqual({
      [V1]: { status: 'resolved', payouts: [1, 0], resolvedAt: RESOLVED_AT, ...expected },
    });
  });

  it('leave out rows without a condition or a status', async () => {
    const { status: _, ...withoutStatus } = RESOLVED;
    expect(
      await read([V1], { data: [null, withoutStatus, { ...RESOLVED, condition_id: null }] }),
    ).toEqual({});
  });

  it.each([null, {}, { data: {} }, []])('are not in %j', async (reply) => {
    expect(await read([V1], reply)).toMatchObject({
      route: 'v2-resolutions',
      failure: 'wrong_shape',
    });
  });
});
