import { describe, expect, it } from '@jest/globals';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import {
  encodeEntry,
  momentOf,
  type RequestLog,
  ThrottledError,
} from '../../../../lambda/rate-limit/request-log.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const LIMIT = 3;
/** Entries of a full list: the limit and 20 more. */
const FULL = LIMIT + 20;
const WINDOW = 60_000;
const { signal } = new AbortController();

/** Nonces that count up, so that entries differ. */
function nonces(asked: number[] = []) {
  let next = 0;
  return (bytes: number): Uint8Array => {
    asked.push(bytes);
    const nonce = new Uint8Array(bytes);
    new DataView(nonce.buffer).setUint32(0, next);
    next += 1;
    return nonce;
  };
}

const randomBytes = nonces();

function rig(wrap: (log: MemoryRequestLog) => RequestLog = (log) => log) {
  const time = { now: START };
  const now = () => time.now;
  const log = new MemoryRequestLog({ now });
  const counter = new ClientCounter({ limit: LIMIT, log: wrap(log), now, randomBytes });
  return { time, log, counter };
}

/** What is written to a log, beside what it does. */
function recorded(log: RequestLog) {
  const appends: unknown[] = [];
  const replacements: { readonly moments: readonly number[]; readonly expiresAt: number }[] = [];
  const recorder: RequestLog = {
    append(key, entry, limits, given) {
      appends.push({ key, moment: momentOf(entry), ...limits, signal: given });
      return log.append(key, entry, limits, given);
    },
    replace(key, seen, replacement, given) {
      const { entries, expiresAt } = replacement;
      replacements.push({ moments: entries.map(momentOf), expiresAt });
      return log.replace(key, seen, replacement, given);
    },
  };
  return { appends, replacements, recorder };
}

/** Fills a client's list with requests of one moment, the limit allowed and the rest refused. */
async function fill(log: RequestLog, moment: number, entries = FULL): Promise<void> {
  for (let n = 0; n < entries; n += 1) {
    const entry = encodeEntry(moment, randomBytes(4));
    await log.append('client', entry, { most: FULL, expiresAt: moment }, signal);
  }
}

describe('a request', () => {
  it('is put down by its moment and 4 random bytes, into a list that is kept for two windows', async () => {
    const asked: number[] = [];
    const log = new MemoryRequestLog({ now: () => START });
    const { appends, recorder } = recorded(log);
    const counter = new ClientCounter({
      limit: LIMIT,
      log: recorder,
      now: () => START,
      randomBytes: nonces(asked),
    });
    expect(counter.limit).toBe(LIMIT);
    await counter.count('client', signal);
    expect(asked).toEqual([4]);
    const expected = { key: 'client', moment: START, most: FULL, expiresAt: START + 2 * WINDOW, signal };
    expect(appends).toEqual([expected]);
  });

  it('whose entry is in the list twice counts once', async () => {
    const { log, counter } = rig();
    const entry = encodeEntry(START - 1, randomBytes(4));
    for (let n = 0; n < 2; n += 1) await log.append('client', entry, { most: FULL, expiresAt: START });
    expect(await counter.count('client', signal)).toEqual({
      allowed: true,
      remaining: 1,
      resetAt: START - 1 + WINDOW,
    });
  });

  it('is judged by the entries before its own, not by those that came meanwhile', async () => {
    const { counter } = rig((log) => ({
      append: async (key, entry, limits) => {
        await log.append(key, entry, limits);
        for (let n = 0; n < LIMIT; n += 1) await log.append(key, encodeEntry(START, randomBytes(4)), limits);
        return { written: true, entries: log.entries(key) };
      },
      replace: () => Promise.reject(new Error('nothing to replace')),
    }));
    expect(await counter.count('client', signal)).toMatchObject({ allowed: true, remaining: LIMIT - 1 });
  });
});

describe('a full list', () => {
  it('of requests that count refuses without a second write', async () => {
    const { time, log, counter } = rig();
    await fill(log, START);
    time.now = START + WINDOW - 1;
    const before = log.units;
    expect(await counter.count('client', signal)).toEqual({
      allowed: false,
      remaining: 0,
      resetAt: START + WINDOW,
    });
    expect(log.units - before).toBe(1);
  });

  it('of requests that count no more makes room for this one', async () => {
    const { time, log, counter } = rig();
    await fill(log, START);
    time.now = START + WINDOW;
    expect(await counter.count('client', signal)).toEqual({
      allowed: true,
      remaining: LIMIT - 1,
      resetAt: time.now + WINDOW,
    });
    expect(log.entries('client').map(momentOf)).toEqual([time.now]);
  });

  it('keeps the allowed ones that still count, and lives two windows from now', async () => {
    let writes: ReturnType<typeof recorded> | undefined;
    const { time, log, counter } = rig((memory) => {
      writes = recorded(memory);
      return writes.recorder;
    });
    await fill(log, START, FULL - 3);
    // At START + 60 s two are allowed, since the first ones have left the window; then the list is full.
    await fill(log, START + WINDOW, 2);
    await fill(log, START + 1, 1);
    time.now = START + WINDOW + 5;
    expect(await counter.count('client', signal)).toMatchObject({ allowed: true, remaining: 0 });
    expect(writes?.replacements).toEqual([
      { moments: [START + WINDOW, START + WINDOW, time.now], expiresAt: time.now + 2 * WINDOW },
    ]);
  });

  it('that others change each time refuses after two attempts, for as long as a window', async () => {
    let appended = 0;
    const old = Array.from({ length: FULL }, () => encodeEntry(START - WINDOW, randomBytes(4)));
    const unlucky = { written: false, entries: old };
    const { counter } = rig(() => ({
      append: () => {
        appended += 1;
        return Promise.resolve(unlucky);
      },
      replace: () => Promise.resolve(unlucky),
    }));
    expect(await counter.count('client', signal)).toEqual({
      allowed: false,
      remaining: 0,
      resetAt: START + WINDOW,
    });
    expect(appended).toBe(2);
  });

  it('that another has just emptied takes the request at the second attempt', async () => {
    let attempts = 0;
    const { time, log, counter } = rig((memory) => ({
      append: (key, entry, limits) => memory.append(key, entry, limits),
      replace: async (key, seen, replacement) => {
        attempts += 1;
        const other = { ...replacement, entries: [encodeEntry(START + WINDOW, randomBytes(4))] };
        await memory.replace(key, seen, other);
        return memory.replace(key, seen, replacement);
      },
    }));
    await fill(log, START);
    time.now = START + WINDOW;
    expect(await counter.count('client', signal)).toMatchObject({ allowed: true, remaining: LIMIT - 2 });
    expect([attempts, log.entries('client').length]).toEqual([1, 2]);
  });
});

describe('a refusal', () => {
  /** A client that has used its limit at `START`, and is refused `ms` later. */
  async function refusedAfter(ms: number) {
    const { time, counter } = rig();
    for (let n = 0; n < LIMIT; n += 1) {
      expect(await counter.count('client', signal)).toMatchObject({ allowed: true });
      expect(counter.cachedRefusal('client')).toBeUndefined();
    }
    time.now = START + ms;
    expect(await counter.count('client', signal)).toMatchObject({ allowed: false });
    return { time, counter };
  }

  it.each([
    [0, 5_000, 'five seconds'],
    [54_999, 59_999, 'five seconds'],
    [58_000, 60_000, 'no longer than it holds'],
  ])('after %i ms is remembered until %i ms: %3$s', async (refusedAt, until) => {
    const { time, counter } = await refusedAfter(refusedAt);
    time.now = START + until - 1;
    expect(counter.cachedRefusal('client')).toMatchObject({
      allowed: false,
      remaining: 0,
      resetAt: START + WINDOW,
    });
    expect(counter.cachedRefusal('another')).toBeUndefined();
    time.now = START + until;
    expect(counter.cachedRefusal('client')).toBeUndefined();
  });

  it('for throttled writes holds for a window as far as anybody knows, and is remembered for one second', async () => {
    const { time, counter } = rig(() => ({
      append: () => Promise.reject(new ThrottledError('slow down')),
      replace: () => Promise.reject(new Error('nothing to replace')),
    }));
    const refusal = { allowed: false, remaining: 0, resetAt: START + WINDOW };
    expect(await counter.count('client', signal)).toEqual(refusal);
    time.now = START + 999;
    expect(counter.cachedRefusal('client')).toMatchObject(refusal);
    time.now = START + 1_000;
    expect(counter.cachedRefusal('client')).toBeUndefined();
  });

  it('is not what any other failure of the log means: the caller hears of it, and nothing is remembered', async () => {
    const { counter } = rig(() => ({
      append: () => Promise.reject(new Error('down')),
      replace: () => Promise.reject(new Error('nothing to replace')),
    }));
    await expect(counter.count('client', signal)).rejects.toThrow('down');
    expect(counter.cachedRefusal('client')).toBeUndefined();
  });
});
