/** Bytes that grow as they are written. Numbers are LEB128 varints: whole, not negative, below 2^53. */
export class ByteWriter {
  #bytes = new Uint8Array(4_096);
  #length = 0;

  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A double, bit by bit. */
  double(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value);
    this.#length += 8;
  }

  /** UTF-8 with its length before it. */
  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes with their number before them. */
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a `ByteWriter` has written, in the same order. @throws RangeError past the end */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** How many bytes have been read. */
  get read(): number {
    return this.#at;
  }

  varint(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('The bytes end within a number');
      if (byte < 0x80) return value + byte * unit;
      value += (byte - 0x80) * unit;
    }
  }

  double(): number {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8);
    this.#at += 8;
    return view.getFloat64(0);
  }

  text(): string {
    const length = this.varint();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('The bytes end within a text');
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, length).toString('utf8');
    this.#at = end;
    return text;
  }

  /** A view of the bytes that are read from, not a copy. */
  bytes(): Uint8Array {
    const length = this.varint();
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new RangeError('The bytes end within a piece');
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }
}

/** Signed to unsigned, small to small: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
export function zigzag(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
