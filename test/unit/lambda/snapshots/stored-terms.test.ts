import { describe, expect, it } from '@jest/globals';
import type { TermTable } from '../../../../lambda/search/term-table.ts';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { readTerms, writeTerms } from '../../../../lambda/snapshots/stored-terms.ts';

/** Of two markets. */
const TABLE: TermTable = {
  terms: ['oslo', 'zürich'],
  starts: Uint32Array.of(0, 1, 3),
  postings: Uint32Array.of(0, 0, 1),
  questionTerms: Uint32Array.of(2, 1),
  categories: Uint8Array.of(0, 4),
};

function stored(table: TermTable): ByteReader {
  const writer = new ByteWriter();
  writer.varint(0); // one byte before them, so that no array begins where one may
  writeTerms(writer, table);
  const reader = new ByteReader(writer.take());
  reader.varint();
  return reader;
}

describe('stored terms', () => {
  it('come back as they were', () => {
    expect(readTerms(stored(TABLE), 2)).toEqual(TABLE);
  });

  it('come back from arrays that are part of larger ones', () => {
    const questionTerms = Uint32Array.of(9, 2, 1, 9).subarray(1, 3);
    expect(readTerms(stored({ ...TABLE, questionTerms }), 2)).toEqual(TABLE);
  });

  it('come back where there are none', () => {
    const none: TermTable = {
      terms: [],
      starts: Uint32Array.of(0),
      postings: new Uint32Array(),
      questionTerms: new Uint32Array(),
      categories: new Uint8Array(),
    };
    expect(readTerms(stored(none), 0)).toEqual(none);
  });

  it.each<[string, Partial<TermTable>]>([
    ['there is one start too few', { starts: Uint32Array.of(0, 3) }],
    ['there is one start too many', { starts: Uint32Array.of(0, 1, 2, 3) }],
    ['the last term ends before the postings do', { starts: Uint32Array.of(0, 1, 2) }],
    ['the question of a market is not counted', { questionTerms: Uint32Array.of(2) }],
    ['a market has no categories', { categories: Uint8Array.of(0) }],
  ])('are refused when %s', (_, part) => {
    expect(() => readTerms(stored({ ...TABLE, ...part }), 2)).toThrow(
      new RangeError('The terms are not those of the base'),
    );
  });

  it('are refused for another number of markets', () => {
    expect(() => readTerms(stored(TABLE), 3)).toThrow(RangeError);
  });
});
