const MOMENT_BYTES = 6;
/** What tells two requests of one millisecond apart: with 4 bytes they are alike once in 4 billion. */
export const NONCE_BYTES = 4;

/** An entry: the request's moment in milliseconds since 1970, and a nonce. 10 bytes keep a list of 80 below 1 KB. */
export function encodeEntry(moment: number, nonce: Uint8Array): Uint8Array {
  const entry = Buffer.alloc(MOMENT_BYTES + NONCE_BYTES);
  entry.writeUIntBE(moment, 0, MOMENT_BYTES);
  entry.set(nonce, MOMENT_BYTES);
  return entry;
}

export function momentOf(entry: Uint8Array): number {
  return viewOf(entry).readUIntBE(0, MOMENT_BYTES);
}

/** An entry's bytes as text: equal for equal entries. */
export function textOf(entry: Uint8Array): string {
  return viewOf(entry).toString('latin1');
}

/** Without a copy: a request reads up to 80 entries. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A request log as it is after an attempt to write to it. */
export interface LogState {
  /** Whether this attempt has written. */
  readonly written: boolean;
  /** All entries, in the order in which they were put down. */
  readonly entries: readonly Uint8Array[];
}

export interface AppendLimits {
  /** Most entries of a list. */
  readonly most: number;
  /** Milliseconds since 1970: nothing in the list counts by then. */
  readonly expiresAt: number;
}

export interface Replacement {
  readonly entries: readonly Uint8Array[];
  /** Milliseconds since 1970: nothing in the list counts by then. */
  readonly expiresAt: number;
}

/**
 * The sliding-window log: who made requests when, a list of entries for each client. Writes to one list happen one
 * after the other, so each is told exactly of those before it, whichever container it came from.
 */
export interface RequestLog {
  /** Adds an entry to a list that holds fewer than `most`. @throws ThrottledError */
  append(clientKey: string, entry: Uint8Array, limits: AppendLimits, signal: AbortSignal): Promise<LogState>;

  /** Puts other entries in the place of those in `seen`, unless the list has changed. @throws ThrottledError */
  replace(
    clientKey: string,
    seen: readonly Uint8Array[],
    replacement: Replacement,
    signal: AbortSignal,
  ): Promise<LogState>;
}

/** The store takes no more writes for this client's list: only its own requests write to it. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
}
