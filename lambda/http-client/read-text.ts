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
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return { text: text + decoder.decode(), complete: true };
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not waited for: what does not end may not hear that it should, either.
      chunks.return?.().catch(() => undefined);
      return { text, complete: false };
    }
    text += decoder.decode(value, { stream: true });
  }
}
