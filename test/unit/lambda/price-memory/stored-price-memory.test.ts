import { describe, expect, it } from '@jest/globals';
import { CHANGE_WINDOWS } from '../../../../lambda/domain/change.ts';
import { DynamoDbMemoryStore } from '../../../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../../../lambda/price-memory/stored-price-memory.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import type { StoreStep } from '../../../support/store-fault.ts';

const NOW = Date.parse('2026-11-21T12:00:05Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const TOKENS = Array.from({ length: 30 }, (_, n) => String(1_000 + n));
const NEVER = Number.MAX_SAFE_INTEGER;

/** A price that tells its time: it moves by one ten-thousandth every two minutes. */
function priceAt(ms: number): number {
  return (Math.floor(ms / (2 * MINUTE)) % 9_000) / 10_000;
}

const pricesAt = (ms: number) => new Map(TOKENS.map((token) => [token, priceAt(ms)]));

function setUp(before?: (step: StoreStep) => Promise<void>) {
  const table = new MemoryTable(before ? { before } : {});
  const problems: string[] = [];
  const container = () =>
    new StoredPriceMemory({
      store: new DynamoDbMemoryStore({ client: table.client, table: table.table, now: () => 0 }),
      random: Math.random,
      onProblem: (message) => problems.push(message),
    });
  /** Runs at the given times, by one container. */
  const keepAll = async (times: readonly number[]) => {
    const memory = container();
    for (const time of times) {
      await memory.open(time, NEVER);
      await memory.keep(time, pricesAt(time), NEVER);
    }
    return memory;
  };
  return { table, problems, container, keepAll };
}

const every = (ms: number, from: number, until: number) =>
  Array.from({ length: Math.ceil((until - from) / ms) }, (_, n) => from + n * ms);

describe('prices that the service has seen itself', () => {
  it.each(['oneDay', 'sevenDay', 'thirtyDay'] as const)(
    'are the baseline of the %s change',
    async (window) => {
      const { container, keepAll } = setUp();
      const start = NOW - CHANGE_WINDOWS[window] * 1_000;
      await keepAll(every(2 * MINUTE, start - 30 * MINUTE, start + 10 * MINUTE));
      const memory = container();
      expect(await memory.open(NOW, NEVER)).toBe(0);
      expect(memory.since).toBe(start - 30 * MINUTE);
      for (const later of [0, MINUTE, 100_000]) {
        const found = memory.baseline(TOKENS[3] ?? '', window, NOW + later);
        expect(found).toEqual({
          price: priceAt(start + later - ((start + later - start) % (2 * MINUTE))),
          own: true,
        });
      }
      expect(memory.wants('day', TOKENS[3] ?? '', NOW)).toBe(window !== 'oneDay');
    },
  );

  it('are found by the run that kept them, too, without reading anything twice', async () => {
    const { table, keepAll } = setUp();
    const memory = await keepAll(every(10 * MINUTE, NOW - DAY - 60 * MINUTE, NOW + MINUTE));
    await memory.open(NOW, NEVER);
    const read = table.readUnits;
    await memory.open(NOW + 1_000, NEVER);
    expect(table.readUnits - read).toBeLessThanOrEqual(0.5);
    expect(memory.baseline('1003', 'oneDay', NOW)?.own).toBe(true);
  });

  it('are looked for in the half day before where the service stood still', async () => {
    const { container, keepAll } = setUp();
    await keepAll([NOW - 2 * DAY, NOW - DAY - 9 * 60 * MINUTE]);
    const memory = container();
    await memory.open(NOW, NEVER);
    expect(memory.baseline('1003', 'oneDay', NOW)?.price).toBe(priceAt(NOW - DAY - 9 * 60 * MINUTE));
  });

  it('stand for the start where the first of them lies a little after it', async () => {
    const { container, keepAll } = setUp();
    await keepAll(every(2 * MINUTE, NOW - DAY + 40 * MINUTE, NOW - DAY + 80 * MINUTE));
    const memory = container();
    await memory.open(NOW, NEVER);
    expect(memory.baseline('1003', 'oneDay', NOW)?.own).toBe(true);
    expect(memory.baseline('1003', 'oneDay', NOW - 60 * MINUTE)).toBeUndefined();
  });

  it('are kept once in two minutes, by the first run that publishes', async () => {
    const { table, keepAll } = setUp();
    const tick = Math.ceil(NOW / (2 * MINUTE)) * 2 * MINUTE;
    const memory = await keepAll([tick]);
    const written = table.writeUnits;
    await memory.keep(tick + MINUTE, pricesAt(tick + MINUTE), NEVER);
    expect(table.writeUnits).toBe(written);
    await memory.keep(tick + 2 * MINUTE, pricesAt(tick + 2 * MINUTE), NEVER);
    expect(table.writeUnits).toBeGreaterThan(written);
  });
});

const HISTORY = every(15 * MINUTE, NOW - 1.5 * DAY, NOW).map((ms) => ({ t: ms / 1_000, p: priceAt(ms) }));
const told = (tokens: readonly string[]) => new Map(tokens.map((token) => [token, HISTORY]));

describe('what upstream has told', () => {
  it('is never asked for again, by no other container and no later version', async () => {
    const { container } = setUp();
    const first = container();
    await first.open(NOW, NEVER);
    expect(TOKENS.every((token) => first.wants('day', token, NOW))).toBe(true);
    first.learn('day', told(TOKENS), NOW / 1_000);
    expect(await first.keep(NOW, pricesAt(NOW), NEVER)).toBe(true);
    const second = container();
    await second.open(NOW + MINUTE, NEVER);
    expect(TOKENS.some((token) => second.wants('day', token, NOW + MINUTE))).toBe(false);
    expect(second.wants('month', '1003', NOW)).toBe(true);
    // Points are kept in whole minutes, rounded up: the one at the very start counts from the next minute on.
    expect(second.baseline('1003', 'oneDay', NOW)).toEqual({ price: HISTORY[47]?.p, own: false });
  });

  it('is not asked for where upstream knew nothing either, until the window has gone by', async () => {
    const memory = setUp().container();
    await memory.open(NOW, NEVER);
    memory.learn('day', new Map([['7', []]]), NOW / 1_000);
    expect(memory.wants('day', '7', NOW + DAY - MINUTE)).toBe(false);
    expect(memory.wants('day', '7', NOW + DAY)).toBe(true);
  });

  it('of the month does not stand for the day: its last point is half a day too old', async () => {
    const memory = setUp().container();
    await memory.open(NOW, NEVER);
    const month = [{ t: (NOW - 1.5 * DAY) / 1_000, p: 0.4 }];
    memory.learn('month', new Map([['1003', month]]), NOW / 1_000);
    expect(memory.wants('month', '1003', NOW)).toBe(false);
    expect(memory.wants('day', '1003', NOW)).toBe(true);
    expect(memory.baseline('1003', 'oneDay', NOW)).toBeUndefined();
    memory.learn('day', new Map([['1003', []]]), NOW / 1_000);
    expect(memory.baseline('1003', 'oneDay', NOW)).toEqual({ price: 0.4, own: false });
  });

  it('gives way to what the service has seen since', async () => {
    const { container, keepAll } = setUp();
    const memory = await keepAll([NOW - DAY - MINUTE]);
    memory.learn('day', told(TOKENS), (NOW - DAY - 2 * MINUTE) / 1_000);
    await memory.keep(NOW, pricesAt(NOW), NEVER);
    const other = container();
    await other.open(NOW, NEVER);
    expect(other.baseline('1003', 'oneDay', NOW)).toEqual({ price: priceAt(NOW - DAY - MINUTE), own: true });
    expect(other.baseline('1003', 'oneDay', NOW - 30 * MINUTE)?.own).toBe(false);
  });

  it('is put together into few pieces, and nothing of it is lost', async () => {
    const { table, container } = setUp();
    const memory = container();
    for (let n = 0; n < 100; n++) {
      await memory.open(NOW + n, NEVER);
      memory.learn('day', new Map([[`new ${n}`, HISTORY]]), NOW / 1_000);
      await memory.keep(NOW + n, pricesAt(NOW), NEVER);
    }
    const pieces = JSON.parse(table.items.get('MEMORY 0')?.index?.S ?? '{}').pieces;
    expect(pieces.length).toBeLessThan(30);
    const other = container();
    await other.open(NOW + MINUTE, NEVER);
    for (let n = 0; n < 100; n++) expect(other.wants('day', `new ${n}`, NOW)).toBe(false);
  });
});

describe('a memory whose store is not well', () => {
  it('keeps what it learnt for the next run when a write fails at any step', async () => {
    for (let failing = 1; failing <= 4; failing++) {
      let writes = 0;
      const { container } = setUp(async (step) => {
        if (step === 'write memory' && ++writes === failing) throw new Error('throttled');
      });
      const memory = container();
      await memory.open(NOW, NEVER);
      memory.learn('day', told(TOKENS), NOW / 1_000);
      expect(await memory.keep(NOW, pricesAt(NOW), NEVER)).toBe(false);
      expect(await memory.keep(NOW + MINUTE, pricesAt(NOW), NEVER)).toBe(true);
      const other = container();
      await other.open(NOW, NEVER);
      expect([failing, other.wants('day', '1003', NOW)]).toEqual([failing, false]);
      const later = NOW + DAY + MINUTE;
      await other.open(later, NEVER);
      expect([failing, other.baseline('1003', 'oneDay', later)?.own]).toEqual([failing, true]);
    }
  });

  it('loses nothing of two runs that write at the same time', async () => {
    const { container } = setUp();
    const [one, two] = [container(), container()];
    await Promise.all([one.open(NOW, NEVER), two.open(NOW, NEVER)]);
    one.learn('day', told(['1']), NOW / 1_000);
    two.learn('day', told(['2']), NOW / 1_000);
    const kept = await Promise.all([one, two].map((memory) => memory.keep(NOW, pricesAt(NOW), NEVER)));
    expect(kept).toEqual([true, true]);
    const other = container();
    await other.open(NOW, NEVER);
    expect(['1', '2'].map((token) => other.wants('day', token, NOW))).toEqual([false, false]);
  });

  it('says so when it cannot be read, and knows what it knew', async () => {
    let down = false;
    const { container, problems } = setUp(async () => {
      if (down) throw new Error('down');
    });
    const memory = container();
    await memory.open(NOW, NEVER);
    memory.learn('day', told(TOKENS), NOW / 1_000);
    await memory.keep(NOW, pricesAt(NOW), NEVER);
    down = true;
    expect(await memory.open(NOW + MINUTE, NEVER)).toBe(1);
    expect(problems).toEqual(['The price memory cannot be read']);
    expect(memory.baseline('1003', 'oneDay', NOW)).toBeDefined();
  });

  it.each([
    ['MEMORY 0', { format: { N: '99' } }],
    ['MEMORY 0', { index: { S: '{"since":' } }],
    ['MEMORY#PAST', { data: { B: new Uint8Array([1, 2, 3]) } }],
    ['MEMORY#PAST', { format: { N: '99' } }],
  ] as const)('asks upstream again where %s holds %j, and is whole afterwards', async (key, damage) => {
    const { table, container } = setUp();
    const learn = async () => {
      const memory = container();
      await memory.open(NOW, NEVER);
      const wanted = TOKENS.filter((token) => memory.wants('day', token, NOW));
      memory.learn('day', told(wanted), NOW / 1_000);
      expect(await memory.keep(NOW, pricesAt(NOW), NEVER)).toBe(true);
      return wanted.length;
    };
    expect(await learn()).toBe(TOKENS.length);
    for (const [name, item] of table.items) {
      if (name.startsWith(key)) table.items.set(name, { ...item, ...damage });
    }
    expect(await learn()).toBe(TOKENS.length);
    expect(await learn()).toBe(0);
  });

  it.each([
    ['MEMORY#SAMPLE', { data: { B: new Uint8Array([1, 2, 3]) } }],
    ['MEMORY#SAMPLE', { format: { N: '99' } }],
    ['MEMORY#ROSTER', { data: { B: new Uint8Array([1, 2, 3]) } }],
  ] as const)('takes %s that holds %j for one that is not there', async (key, damage) => {
    const { table, container, keepAll } = setUp();
    await keepAll([NOW - DAY]);
    for (const [name, item] of table.items) {
      if (name.startsWith(key)) table.items.set(name, { ...item, ...damage });
    }
    const memory = container();
    expect(await memory.open(NOW, NEVER)).toBe(0);
    expect(memory.baseline('1003', 'oneDay', NOW)).toBeUndefined();
    expect(memory.wants('day', '1003', NOW)).toBe(true);
  });
});
