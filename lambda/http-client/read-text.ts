export interface BodyText {
  readonly text: string;
  /** Whether it is the whole body. */
  readonly complete: boolean;
}

/**
 * Reads a body as text and stops, with the connection closed, as soon as it is longer than `maxBytes`. What counts are
 * the bytes after decompression: a small response can hold a large body.
 */
export async function readText(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
): Promise<BodyText> {
  if (!body) return { text: '', complete: true };
  const chunks = body[Symbol.asyncIterator]();
  // Decoded at once at the end: a text that is put together from many is copied again before it is parsed.
  const read: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return { text: textOf(read), complete: true };
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not waited for: what does not end may not hear that it should, either.
      chunks.return?.().catch(() => undefined);
      return { text: textOf(read), complete: false };
    }
    read.push(value);
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}
