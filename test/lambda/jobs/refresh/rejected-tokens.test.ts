import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { fail, market, priceReaderRig, reject, tokens, withBooks } from './price-reader-rig.ts';

// CLOB rejects a whole call because of one bad token. So the reader of prices halves a rejected
// call until it finds the token. That token rests for an hour. A part that could not be halved to
// its end is suspect, and has a call of its own in the next run.

type Rig = ReturnType<typeof priceReaderRig>;

/** The calls that a run may make to find rejected tokens. A reading halves a rejected call. */
const MAX_SEPARATE_CALLS = 64;

/** Reads 300 markets. @returns how many were read, and the calls with the token 123 */
async function run({ read, calls }: Rig) {
  calls.length = 0;
  const { sides } = await read(tokens(300));
  return { read: sides.size, calls: calls.filter((batch) => batch.includes('123')) };
}

describe('a rejected token', () => {
  const rejecting = (bad: readonly string[]) =>
    priceReaderRig((batch) =>
      batch.some((token) => bad.includes(token)) ? reject() : withBooks(batch),
    );

  it('is found by halving, and the others of its call are read', async () => {
    const { read, sizes } = rejecting(['123']);
    const { sides, failed } = await read(tokens(300));
    expect(sides.size).toBe(299);
    expect(sides.has('123')).toBe(false);
    expect(failed).toBe(0);
    // Two calls, then two for each of eight halvings: 2^8 is 256, more than the 250 of a call.
    expect(sizes().length).toBeLessThanOrEqual(2 + 16);
  });

  it('rests for an hour, and is then called alone until it is accepted', async () => {
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

  it('stays unread and alone when its own call returns no token', async () => {
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

  it('costs at most 64 calls in a run, and the next run goes on there', async () => {
    // 200 of 2,000 tokens are rejected.
    const { read, calls } = rejecting(tokens(2_000).filter((_, n) => n % 10 === 7));
    const readTokens: number[] = [];
    for (let n = 0; n < 80; n++) {
      calls.length = 0;
      readTokens.push((await read(tokens(2_000))).sides.size);
      // 2,000 tokens are eight calls of 250.
      expect(calls.length).toBeLessThanOrEqual(8 + MAX_SEPARATE_CALLS);
    }
    // No run reads less than the one before it.
    expect(readTokens.toSorted((a, b) => a - b)).toEqual(readTokens);
    expect(readTokens.at(-1)).toBe(1_800);
  });

  it('stays in a separate call while the calls of its part fail', async () => {
    let isDown = true;
    const respond = (batch: readonly string[]) => {
      if (!batch.includes('123')) return withBooks(batch);
      return isDown ? fail() : reject();
    };
    const rig = priceReaderRig(respond);
    // What an earlier run has left: a part of two tokens.
    const halved = { accepted: ['0'], rejected: [], suspects: [['122', '123']] };
    rig.deps.rejectedTokens.record(halved, rig.clock.now());
    expect((await run(rig)).read).toBe(298);
    isDown = false;
    expect(await run(rig)).toEqual({ read: 299, calls: [['122', '123'], ['123']] });
  });

  it('costs at most 64 calls in a run, even if separate calls fail', async () => {
    // What earlier runs have left: 100 rejected tokens, and a part of two.
    const rejected = tokens(400).slice(300);
    const { read, calls, deps, clock } = priceReaderRig((batch) =>
      batch.length <= 2 ? fail() : withBooks(batch),
    );
    deps.rejectedTokens.record({ accepted: ['0'], rejected, suspects: [['1', '2']] }, clock.now());
    await clock.advance(HOUR_MS);
    await read(tokens(400));
    // The suspects have one call, and the rejected tokens the others.
    expect(calls.filter(({ length }) => length === 1)).toHaveLength(MAX_SEPARATE_CALLS - 1);
  });

  it('is not the reason when the own limit of the service prevents a call', async () => {
    const { read, sizes } = priceReaderRig((batch, call) => {
      if (call > 1) return withBooks(batch);
      throw new UpstreamError({ route: 'prices', failure: 'rate_limited' });
    });
    expect((await read(tokens(300))).sides.size).toBe(300);
    // Nothing is halved: the reading is repeated.
    expect(sizes()).toEqual([250, 50, 250, 50]);
  });

  it('is not the reason when the route rejects everything', async () => {
    const { read, calls, deps } = priceReaderRig(reject);
    const reading = await read(tokens(300), { withinMs: 500 });
    expect(reading.sides.size).toBe(0);
    expect(reading.failed).toEqual(reading.calls);
    // The 300 tokens are two calls in each of two readings.
    expect(calls.length).toBeLessThanOrEqual(4 + MAX_SEPARATE_CALLS);
    const unchanged = { batches: [['0']], suspects: [], due: [] };
    expect(deps.rejectedTokens.batches([market('0')], Date.now(), MAX_SEPARATE_CALLS)).toEqual(
      unchanged,
    );
  });
});
