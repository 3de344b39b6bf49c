import { CHANGE_WINDOWS, type ChangeWindow, latestBaselineDelay, type PricePoint } from '../domain/change.ts';
import type { PastKind } from '../refresh/ports.ts';
import { PAST_KINDS, type PieceReference } from './memory-items.ts';
import { decodePasts, encodePasts, type Past, pointAt, pointsOf } from './past.ts';

const HOUR_SECONDS = 3_600;
/** How long what was told is of use, in seconds: then the service has seen every window itself. */
const USEFUL_SECONDS = CHANGE_WINDOWS.thirtyDay + HOUR_SECONDS;
/** What is found for a start is believed for so long at most, in seconds: the other kind may know a point in between. */
const FOUND_SECONDS = 600;
/** DynamoDB takes items of 400 KB; the bytes of the points before they are compressed stay below. */
const PIECE_BYTES = 340_000;
/** Pieces below this size are small; so many of them are put together into one. */
const SMALL_BYTES = 120_000;
const MOST_SMALL = 24;

interface Piece {
  readonly reference: PieceReference;
  readonly keys: readonly number[];
}

/** A piece that is not stored yet, and those whose place it takes. */
export interface NewPiece {
  readonly reference: PieceReference;
  readonly data: Uint8Array;
  readonly instead: readonly string[];
}

/** What upstream told of the time before the service knew a market: by market and kind, in memory and in pieces. */
export class PastMemory {
  readonly #pasts: Readonly<Record<PastKind, Map<number, Past>>> = { day: new Map(), month: new Map() };
  readonly #unsaved: Readonly<Record<PastKind, Set<number>>> = { day: new Set(), month: new Set() };
  #pieces = new Map<string, Piece>();
  /** What was found for a start, until another point takes its place: few starts pass one between two runs. */
  readonly #found = new Map<
    string,
    { readonly from: number; readonly next: number; readonly point: PricePoint }
  >();

  has(id: string): boolean {
    return this.#pieces.has(id);
  }

  learn(kind: PastKind, key: number, until: number, points: Uint8Array): void {
    this.#set(kind, key, { until, points });
    this.#unsaved[kind].add(key);
  }

  /** Takes in a stored piece. @throws Error when it cannot be read */
  add(reference: PieceReference, data: Uint8Array): void {
    const pasts = decodePasts(data);
    for (const [key, past] of pasts) {
      // What was asked later tells more, whichever piece is read first.
      if (past.until >= (this.#pasts[reference.kind].get(key)?.until ?? 0))
        this.#set(reference.kind, key, past);
    }
    this.#pieces.set(reference.id, { reference, keys: [...pasts.keys()] });
  }

  /** Unix seconds up to which upstream was asked about a market. */
  askedUntil(kind: PastKind, key: number): number | undefined {
    return this.#pasts[kind].get(key)?.until;
  }

  /** The point at a window's start (Unix seconds), by the rule of all baselines. */
  pointAt(window: ChangeWindow, key: number, start: number): PricePoint | undefined {
    const name = `${window} ${key}`;
    const known = this.#found.get(name);
    if (known && known.from <= start && start < known.next) return known.point;
    const latest = start + latestBaselineDelay(window);
    let best: { point: PricePoint; next: number } | undefined;
    for (const kind of ['day', 'month'] as const) {
      // The month ends half a day before the day's start: alone it would give a price that is too old.
      if (window === 'oneDay' && !this.#pasts.day.has(key)) break;
      const past = this.#pasts[kind].get(key);
      const found = past && pointAt(past, start, latest);
      if (!found) continue;
      // Nothing newer is known of a start that lies within the day.
      const isWithin = kind === 'day' && found.point.t <= start && start <= past.until;
      if (!best || isBetter(found.point, best.point, start)) {
        best = { point: found.point, next: Math.min(found.next, best?.next ?? Number.POSITIVE_INFINITY) };
      }
      if (isWithin) break;
    }
    if (best && best.point.t <= start) {
      const next = Math.min(best.next, start + FOUND_SECONDS);
      this.#found.set(name, { from: start, next, point: best.point });
    }
    return best?.point;
  }

  /** Everything that is known of a market, ascending. */
  points(key: number): PricePoint[] {
    return (['month', 'day'] as const).flatMap((kind) => {
      const past = this.#pasts[kind].get(key);
      return past ? pointsOf(past) : [];
    });
  }

  /** What is to be stored now: what is new, and small pieces put together. @param now ms */
  newPieces(now: number, nextId: () => string): NewPiece[] {
    const seconds = now / 1_000;
    return PAST_KINDS.flatMap((kind) => {
      const small = this.#small(kind);
      const keys = new Set([...this.#unsaved[kind], ...small.flatMap((piece) => piece.keys)]);
      const instead = small.map(({ reference }) => reference.id);
      return groups([...keys], this.#pasts[kind], seconds - USEFUL_SECONDS).map((group, n): NewPiece => {
        const data = encodePasts(group);
        const newest = Math.max(...[...group.values()].map(({ until }) => until));
        const expiresAt = Math.ceil(newest + USEFUL_SECONDS);
        const reference = { id: nextId(), kind, bytes: data.length, expiresAt };
        return { reference, data, instead: n === 0 ? instead : [] };
      });
    });
  }

  /** Told once the pieces are stored and in the index. */
  saved(pieces: readonly NewPiece[]): void {
    for (const { reference, data, instead } of pieces) {
      for (const id of instead) this.#pieces.delete(id);
      const keys = [...decodePasts(data).keys()];
      this.#pieces.set(reference.id, { reference, keys });
      for (const key of keys) this.#unsaved[reference.kind].delete(key);
    }
  }

  #set(kind: PastKind, key: number, past: Past): void {
    this.#pasts[kind].set(key, past);
    for (const window of Object.keys(CHANGE_WINDOWS)) this.#found.delete(`${window} ${key}`);
  }

  #small(kind: PastKind): Piece[] {
    const small = [...this.#pieces.values()].filter(
      ({ reference }) => reference.kind === kind && reference.bytes < SMALL_BYTES,
    );
    return small.length < MOST_SMALL ? [] : small;
  }
}

function isBetter(a: PricePoint, b: PricePoint, start: number): boolean {
  if (a.t <= start && b.t <= start) return a.t > b.t;
  return a.t <= start || (b.t > start && a.t < b.t);
}

/** Markets in groups that fit into an item each; what is of no use any more is left out. */
function groups(
  keys: readonly number[],
  pasts: ReadonlyMap<number, Past>,
  usefulFrom: number,
): Map<number, Past>[] {
  const all: Map<number, Past>[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const past = pasts.get(key);
    if (!past || past.until < usefulFrom) continue;
    const more = past.points.length + 20;
    if (bytes + more > PIECE_BYTES) {
      all.push(new Map());
      bytes = 0;
    }
    all.at(-1)?.set(key, past);
    bytes += more;
  }
  return all;
}
