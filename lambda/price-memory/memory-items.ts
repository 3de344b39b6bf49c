import type { PastKind } from '../refresh/ports.ts';
import { type Item, key, SNAPSHOT_KEYS } from '../snapshots/dynamodb-items.ts';

/** Grows when something about the stored form changes: what bears another number is as good as not there. */
export const MEMORY_FORMAT = 1;

export const PAST_KINDS = ['day', 'month'] as const satisfies readonly PastKind[];

/** Where a piece with pasts lies. */
export interface PieceReference {
  readonly id: string;
  readonly kind: PastKind;
  /** Compressed. */
  readonly bytes: number;
  /** Unix seconds: nothing in it is of any use afterwards. */
  readonly expiresAt: number;
}

/** What the one index item tells. */
export interface MemoryIndex {
  /** Ms: the first prices that were kept. */
  readonly since: number;
  /** The roster in use, and when it was written, ms. */
  readonly roster?: { readonly id: string; readonly writtenAt: number };
  readonly pieces: readonly PieceReference[];
}

export const INDEX_KEY: Item = key('MEMORY', 0);

export function sampleKey(tick: number): Item {
  return key(`MEMORY#SAMPLE#${tick}`, 0);
}

export function rosterKey(id: string): Item {
  return key(`MEMORY#ROSTER#${id}`, 0);
}

export function pieceKey(id: string): Item {
  return key(`MEMORY#PAST#${id}`, 0);
}

/** A sample, a roster or a piece: bytes under a key. @param expiresAt Unix seconds */
export function dataItem(itemKey: Item, data: Uint8Array, expiresAt: number, more: Item = {}): Item {
  return {
    ...itemKey,
    format: { N: String(MEMORY_FORMAT) },
    data: { B: data },
    ...more,
    [SNAPSHOT_KEYS.ttl]: { N: String(Math.ceil(expiresAt)) },
  };
}

/** @param revision counts the writes, for the condition of the next one */
export function indexItem(index: MemoryIndex, revision: number): Item {
  return {
    ...INDEX_KEY,
    format: { N: String(MEMORY_FORMAT) },
    revision: { N: String(revision) },
    index: { S: JSON.stringify(index) },
  };
}

export function isOfThisFormat(item: Item | undefined): item is Item {
  return item?.format?.N === String(MEMORY_FORMAT);
}

export function revisionOf(item: Item | undefined): number {
  return Number(item?.revision?.N ?? 0);
}

/** @returns undefined where there is none, or none that can be read */
export function readIndex(item: Item | undefined): MemoryIndex | undefined {
  if (!isOfThisFormat(item)) return undefined;
  try {
    const value: unknown = JSON.parse(item.index?.S ?? 'null');
    return isIndex(value) ? value : undefined;
  } catch {
    return undefined; // not even JSON
  }
}

function isIndex(value: unknown): value is MemoryIndex {
  if (!isObject(value) || !Number.isFinite(value.since) || !Array.isArray(value.pieces)) return false;
  const { roster } = value;
  const hasRoster = isObject(roster) && typeof roster.id === 'string' && Number.isFinite(roster.writtenAt);
  return (roster === undefined || hasRoster) && value.pieces.every(isPiece);
}

function isPiece(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    PAST_KINDS.some((kind) => kind === value.kind) &&
    Number.isFinite(value.bytes) &&
    Number.isFinite(value.expiresAt)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
