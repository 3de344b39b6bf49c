import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutPage, pageLinks, type Room, roomFor } from '../../../../lambda/domain/paging.ts';

/** So many entries fit, wherever a page begins. */
const roomOf = (entries: number): Room => roomFor(() => 1, entries);

describe('cutPage', () => {
  it.each([
    [1_000, 0, 500, { start: 0, end: 500 }],
    [1_000, 900, 500, { start: 900, end: 1_000 }],
    [1_000, 1_000, 500, { start: 1_000, end: 1_000 }],
    [1_000, Number.MAX_SAFE_INTEGER, 1, { start: 1_000, end: 1_000 }],
    [0, 0, 500, { start: 0, end: 0 }],
  ])('of %i markets from %i, at most %i', (total, offset, limit, page) => {
    expect(cutPage(total, offset, limit)).toEqual(page);
  });

  it('ends where the response would grow too large', () => {
    expect(cutPage(1_000, 100, 500, roomOf(42))).toEqual({ start: 100, end: 142 });
  });
});

describe('pageLinks', () => {
  const offsets = (total: number, offset: number, limit: number) =>
    Object.fromEntries(
      pageLinks(total, cutPage(total, offset, limit), limit).map((link) => [link.rel, link.offset]),
    );

  it.each([
    ['the first page', 1_000, 0, 400, { first: 0, next: 400, last: 800 }],
    ['a page in the middle', 1_000, 400, 400, { first: 0, prev: 0, next: 800, last: 800 }],
    ['the last page', 1_000, 800, 400, { first: 0, prev: 400, last: 800 }],
    ['a page that holds everything', 10, 0, 500, { first: 0, last: 0 }],
    ['an empty list', 0, 0, 500, { first: 0, last: 0 }],
    ['a page beyond the end', 1_000, 5_000, 400, { first: 0, prev: 600, last: 800 }],
  ])('of %s', (_, total, offset, limit, expected) => {
    expect(offsets(total, offset, limit)).toEqual(expected);
  });

  it('points at the last page, not past it, when the total is a multiple of the limit', () => {
    expect(pageLinks(1_000, cutPage(1_000, 0, 500), 500)).toContainEqual({ rel: 'last', offset: 500 });
  });

  it.each([0, 1, 499, 500, 1_000])('asks for room within a list of %i only', (total) => {
    const asked: [start: number, end: number][] = [];
    const room: Room = {
      from(start, most) {
        asked.push([start, start + most]);
        return 1;
      },
      before(end, most) {
        asked.push([end - most, end]);
        return 1;
      },
    };
    for (const offset of [0, 400, 500]) pageLinks(total, cutPage(total, offset, 400, room), 400, room);
    const outside = asked.filter(([start, end]) => start < 0 || start >= end || end > total);
    expect(outside).toEqual([]);
  });

  it('goes on where a page that was cut short ended', () => {
    const room = roomOf(300);
    const links = pageLinks(1_000, cutPage(1_000, 400, 500, room), 500, room);
    expect(links).toContainEqual({ rel: 'next', offset: 700 });
    // A page of 500 from 0 or from 500 on would end too early.
    expect(links).toContainEqual({ rel: 'prev', offset: 100 });
    expect(links).toContainEqual({ rel: 'last', offset: 700 });
  });

  it('leaves no gap before this page nor after the last one, whatever fits', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 80 });
    const small = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(weights, small, fc.nat(80), small, (bytes, limit, offset, maxBytes) => {
        const room = roomFor((index) => bytes[index] ?? 0, maxBytes);
        const page = cutPage(bytes.length, offset, limit, room);
        for (const { rel, offset: at } of pageLinks(bytes.length, page, limit, room)) {
          const other = cutPage(bytes.length, at, limit, room);
          if (rel === 'prev') expect([at < page.start, other.end >= page.start]).toEqual([true, true]);
          if (rel === 'last') expect(other.end).toBe(bytes.length);
        }
      }),
    );
  });

  it('leads through every market exactly once', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (total, limit, fits) => {
          const seen: number[] = [];
          let offset: number | undefined = 0;
          while (offset !== undefined) {
            const page = cutPage(total, offset, limit, roomOf(fits));
            for (let n = page.start; n < page.end; n++) seen.push(n);
            offset = pageLinks(total, page, limit).find(({ rel }) => rel === 'next')?.offset;
          }
          expect(seen).toEqual(Array.from({ length: total }, (_, n) => n));
        },
      ),
    );
  });
});

describe('the room for a page', () => {
  const weights = [4, 3, 3, 9, 1];
  const weightOf = (index: number) => weights[index] ?? 0;

  it('takes what fits to the byte, and not one more', () => {
    expect(roomFor(weightOf, 10).from(0, 5)).toBe(3);
    expect(roomFor(weightOf, 9).from(0, 5)).toBe(2);
    expect(roomFor(weightOf, 10).before(5, 5)).toBe(2);
    expect(roomFor(weightOf, 13).before(5, 5)).toBe(3);
    expect(roomFor(weightOf, 12).before(5, 5)).toBe(2);
  });

  it('takes one entry at least, however large', () => {
    expect(roomFor(weightOf, 2).from(3, 2)).toBe(1);
    expect(roomFor(weightOf, 2).before(4, 3)).toBe(1);
  });

  it('weighs no entry that was not asked for', () => {
    const weighed: number[] = [];
    const room = roomFor((index) => {
      weighed.push(index);
      return 1;
    }, 100);
    room.from(1, 2);
    room.before(5, 1);
    expect(weighed).toEqual([1, 2, 4]);
  });

  it('takes no more than is asked for', () => {
    expect(roomFor(weightOf, 100).from(0, 2)).toBe(2);
    expect(roomFor(weightOf, 100).before(5, 3)).toBe(3);
  });
});
