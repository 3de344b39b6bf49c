import type { TermTable } from '../search/term-table.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Writes the arrays as they lie in memory, so that a reader takes them over as they are. */
export function writeTerms(writer: ByteWriter, table: TermTable): void {
  writer.text(table.terms.join('\n'));
  for (const array of [table.starts, table.postings, table.questionTerms]) {
    writer.bytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  writer.bytes(table.categories);
}

/** @throws RangeError when the bytes do not hold a table of so many markets */
export function readTerms(reader: ByteReader, markets: number): TermTable {
  const text = reader.text();
  const terms = text === '' ? [] : text.split('\n');
  const [starts, postings, questionTerms] = [numbers(reader), numbers(reader), numbers(reader)];
  const categories = new Uint8Array(reader.bytes());
  const isWhole =
    starts.length === terms.length + 1 &&
    starts.at(-1) === postings.length &&
    questionTerms.length === markets &&
    categories.length === markets;
  if (!isWhole) throw new RangeError('The terms are not those of the base');
  return { terms, starts, postings, questionTerms, categories };
}

/** A copy: numbers of four bytes must begin at a multiple of four. */
function numbers(reader: ByteReader): Uint32Array {
  return new Uint32Array(new Uint8Array(reader.bytes()).buffer);
}
