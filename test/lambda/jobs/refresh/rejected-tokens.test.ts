import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { fail, market, priceReaderRig, reject, tokens, withBooks } from './price-reader-rig.ts';

// CLOB rejects a whole call because of one bad token. So the reader of prices halves a rejected
// call until it finds the token. Then the token rests: no call contains it for an hour. After that it
// is due, and has a call of its own. If a run ends before it has found the token, the part of the
// call that contains it is suspect, and has a call of its own in the next run.

/** How many separate calls a run may make: for halves, suspects and due tokens. */
const MAX_SEPARATE_CALLS = 64;

/** Reads 300 tokens. @returns how many were read, and the calls with the token 123 */
async function run({ readTokens, calls }: ReturnType<typeof priceReaderRig>) {
  calls.length = 0;
  const { sides } = await readTokens(tokens(300));
  return { read: sides.size, calls: calls.filter((batch) => batch.includes('123')) };
}

describe('a rejected token', () => {
  /** CLOB rejects each call with one of these tokens. */
  const rejecting = (bad: readonly string[]) =>
    priceReaderRig((batch) =>
      batch.some((token) => bad.includes(token)) ? reject() : withBooks(batch),
    );

  it('is found by halving its call, so the others are read', async () => {
    const { readTokens, sizes } = rejecting(['123']);
    const { sides, failed } = await readTokens(tokens(300));
    expect(sides.size).toBe(299);
    expect(sides.has('123')).toBe(false);
    expect(failed).toBe(0);
    // Two calls, then two for each of eight halvings: 2^8 is 256, more than the 250 of a call.
    expect(sizes().length).toBeLessThanOrEqual(2 + 16);
  });

  it('rests for an hour, and then has a call of its own until CLOB accepts it', async () => {
    const bad = ['123'];
    const rig = rejecting(bad);
    await run(rig);
    await rig.clock.advance(HOUR_MS - MINUTE_MS);
    expect(await run(rig)).toEqual({ read: 299, calls: [] });
    await rig.clock.advance(MINUTE_MS);
    expect(await run(rig)).toEqual({ read: 299, calls: [['123']] });
    await rig.clock.advance(HOUR_MS);
    bad.length = 0;
    expect(await run(rig)).toEqual({ read: 300, calls: [['123']] });
    expect((await run(rig)).calls).toEqual([tokens(250)]);
  });

  it('stays unread and alone when its own call succeeds without it', async () => {
    let isRejected = true;
    const rig = priceReaderRig((batch) => {
      if (!batch.includes('123')) return withBooks(batch);
      return isRejected || batch.length > 1 ? reject() : new Map();
    });
    await run(rig);
    isRejected = false;
    await rig.clock.advance(HOUR_MS);
    expect((await run(rig)).read).toBe(299);
    expect((await run(rig)).calls).toEqual([['123']]);
  });

  it('costs at most 64 separate calls in a run, and the next run goes on there', async () => {
    // 200 of 2,000 tokens are rejected.
    const { readTokens, calls } = rejecting(tokens(2_000).filter((_, n) => n % 10 === 7));
    const counts: number[] = [];
    for (let n = 0; n < 80; n++) {
      calls.length = 0;
      counts.push((await readTokens(tokens(2_000))).sides.size);
      // 2,000 tokens are eight calls of 250.
      expect(calls.length).toBeLessThanOrEqual(8 + MAX_SEPARATE_CALLS);
    }
    // No run reads fewer tokens than the one before it, and the last ones read all good tokens.
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
    expect(counts.at(-1)).toBe(1_800);
  });

  it('is suspect, and halved in a later run, while the call of its part fails', async () => {
    let isDown = true;
    const rig = priceReaderRig((batch) => {
      if (!batch.includes('123')) return withBooks(batch);
      return isDown ? fail() : reject();
    });
    // An earlier run has left a part of two tokens.
    const found = { accepted: ['0'], rejected: [], suspects: [['122', '123']] };
    rig.rejectedTokens.record(found, rig.clock.now());
    expect((await run(rig)).read).toBe(298);
    isDown = false;
    expect(await run(rig)).toEqual({ read: 299, calls: [['122', '123'], ['123']] });
  });

  it('costs at most 64 separate calls in a run, even if these fail', async () => {
    const { readTokens, calls, rejectedTokens, clock } = priceReaderRig((batch) =>
      batch.length <= 2 ? fail() : withBooks(batch),
    );
    // Earlier runs have left 100 rejected tokens, and a part of two.
    const rejected = tokens(400).slice(300);
    const found = { accepted: ['0'], rejected, suspects: [['1', '2']] };
    rejectedTokens.record(found, clock.now());
    await clock.advance(HOUR_MS);
    await readTokens(tokens(400));
    // The part of two has one of the 64 calls, and the tokens that are due have the others.
    expect(calls.filter(({ length }) => length === 1)).toHaveLength(MAX_SEPARATE_CALLS - 1);
  });

  it('is not looked for when the own limit of the service prevents a call', async () => {
    const { readTokens, sizes } = priceReaderRig((batch, call) => {
      if (call > 1) return withBooks(batch);
      throw new UpstreamError({ route: 'prices', failure: 'rate_limited' });
    });
    expect((await readTokens(tokens(300))).sides.size).toBe(300);
    // The reading is repeated without halves.
    expect(sizes()).toEqual([250, 50, 250, 50]);
  });

  it('is not found when CLOB rejects all calls', async () => {
    const { readTokens, calls, rejectedTokens } = priceReaderRig(reject);
    const reading = await readTokens(tokens(300), { withinMs: 500 });
    expect(reading.sides.size).toBe(0);
    expect(reading.failed).toEqual(reading.calls);
    // The 300 tokens are two calls in each of two readings.
    expect(calls.length).toBeLessThanOrEqual(4 + MAX_SEPARATE_CALLS);
    // The next reading has all tokens again: none rests, and none is suspect.
    expect(rejectedTokens.batches([market('0')], Date.now(), MAX_SEPARATE_CALLS)).toEqual({
      batches: [['0']],
      suspects: [],
      due: [],
    });
  });
});
