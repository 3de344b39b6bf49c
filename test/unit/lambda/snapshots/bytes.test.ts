import { describe, expect, it } from '@jest/globals';
import { ByteReader, ByteWriter, unzigzag, zigzag } from '../../../../lambda/snapshots/bytes.ts';

function written(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  return writer.take();
}

/** The bytes as they lie in the middle of a larger buffer. */
function inside(bytes: Uint8Array): Uint8Array {
  const larger = new Uint8Array(bytes.length + 6).fill(0xff);
  larger.set(bytes, 3);
  return larger.subarray(3, 3 + bytes.length);
}

describe('a varint', () => {
  it.each([
    [0, [0x00]],
    [0x7f, [0x7f]],
    [0x80, [0x80, 0x01]],
    [300, [0xac, 0x02]],
    [0x3fff, [0xff, 0x7f]],
    [0x4000, [0x80, 0x80, 0x01]],
    [2 ** 32, [0x80, 0x80, 0x80, 0x80, 0x10]],
    [2 ** 53 - 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])('of %d is LEB128: seven bits a byte, the lowest first', (value, bytes) => {
    expect([...written((writer) => writer.varint(value))]).toEqual(bytes);
    const reader = new ByteReader(Uint8Array.from(bytes));
    expect(reader.varint()).toBe(value);
    expect(reader.read).toBe(bytes.length);
  });

  it('that is cut off is refused', () => {
    expect(() => new ByteReader(Uint8Array.of(0x80)).varint()).toThrow(
      new RangeError('The bytes end within a number'),
    );
  });
});

describe('what is written', () => {
  it('is read again in the same order, wherever it lies in memory', () => {
    const bytes = written((writer) => {
      writer.text('Zürich 日本');
      writer.double(-0.1);
      writer.bytes(Uint8Array.of(1, 2, 3));
      writer.text('');
      writer.double(Number.NaN);
      writer.varint(7);
    });
    const reader = new ByteReader(inside(bytes));
    expect(reader.text()).toBe('Zürich 日本');
    expect(reader.double()).toBe(-0.1);
    expect([...reader.bytes()]).toEqual([1, 2, 3]);
    expect(reader.text()).toBe('');
    expect(reader.double()).toBeNaN();
    expect(reader.varint()).toBe(7);
    expect(reader.read).toBe(bytes.length);
  });

  it('is as long as its parts: a text by its UTF-8 bytes, a double by eight', () => {
    expect([...written((writer) => writer.text('é'))]).toEqual([2, 0xc3, 0xa9]);
    expect([...written((writer) => writer.double(1))]).toEqual([0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);
    expect([...written((writer) => writer.bytes(Uint8Array.of(9)))]).toEqual([1, 9]);
    expect([...written(() => undefined)]).toEqual([]);
  });

  it.each([
    ['varints', 4_500, (writer: ByteWriter) => writer.varint(5), (reader: ByteReader) => reader.varint()],
    ['doubles', 1_300, (writer: ByteWriter) => writer.double(5), (reader: ByteReader) => reader.double()],
    ['texts', 3_000, (writer: ByteWriter) => writer.text('5'), (reader: ByteReader) => Number(reader.text())],
    [
      'pieces',
      3_000,
      (writer: ByteWriter) => writer.bytes(Uint8Array.of(5)),
      (reader: ByteReader) => Number(reader.bytes()[0]),
    ],
  ] as const)('grows with its %s, and keeps what was written before', (_, times, write, read) => {
    const bytes = written((writer) => {
      for (let n = 0; n < times; n += 1) write(writer);
    });
    const reader = new ByteReader(bytes);
    expect(Array.from({ length: times }, () => read(reader))).toEqual(new Array(times).fill(5));
    expect(reader.read).toBe(bytes.length);
  });

  it('holds a text and a piece that are larger than all before them', () => {
    const text = 'a'.repeat(50_000);
    const reader = new ByteReader(
      written((writer) => {
        writer.text(text);
        writer.bytes(new Uint8Array(200_000).fill(4));
      }),
    );
    expect(reader.text()).toBe(text);
    expect(reader.bytes()).toEqual(new Uint8Array(200_000).fill(4));
  });
});

describe('bytes that end too early', () => {
  it.each([
    ['text', 'The bytes end within a text'],
    ['bytes', 'The bytes end within a piece'],
  ] as const)('are refused by %s(), and enough of them are not', (part, message) => {
    expect(() => new ByteReader(Uint8Array.of(3, 65, 66))[part]()).toThrow(new RangeError(message));
    expect(new ByteReader(Uint8Array.of(2, 65, 66))[part]()).toHaveLength(2);
  });

  it('are refused by double()', () => {
    expect(() => new ByteReader(new Uint8Array(7)).double()).toThrow(RangeError);
  });

  it('are a view of the bytes that are read from, not a copy', () => {
    const source = Uint8Array.of(1, 65);
    const piece = new ByteReader(source).bytes();
    source[1] = 66;
    expect([...piece]).toEqual([66]);
  });
});

describe('zigzag', () => {
  it.each([
    [0, 0],
    [-1, 1],
    [1, 2],
    [-2, 3],
    [2, 4],
    [-(2 ** 50), 2 ** 51 - 1],
    [2 ** 50, 2 ** 51],
  ])('turns %d into %d, and back', (signed, unsigned) => {
    expect(zigzag(signed)).toBe(unsigned);
    expect(unzigzag(unsigned)).toBe(signed);
  });
});
