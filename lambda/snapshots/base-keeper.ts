import { BASE_DIFFERENCE_SHARE, BASE_SECONDS, BASE_VERIFIED_SECONDS } from '../contract/constants.ts';
import { termTableOf } from '../search/make-term-table.ts';
import { TEXT_RULES } from '../search/term-table.ts';
import { type Encoded, encodeBase, encodeTerms } from './codec.ts';
import { COLUMNS } from './columns.ts';
import { type Delta, deltaOf, differenceShare } from './delta.ts';
import { type BaseReference, baseItem, baseKey, type Item, type Piece, termsKey } from './dynamodb-items.ts';
import type { SnapshotLoader } from './snapshot-loader.ts';
import { recordAt, type StoredMarkets } from './stored-markets.ts';

interface HeldBase {
  readonly reference: BaseReference;
  readonly table: StoredMarkets;
}

/** What a snapshot is stored as: its difference from a base that is in the store. */
export interface BasedSnapshot extends HeldBase {
  readonly delta: Delta;
  /** Compressed bytes and chunks of the base, if it was written for this snapshot. */
  readonly written: { readonly bytes: number; readonly chunks: number };
}

export interface BaseKeeperOptions {
  readonly loader: SnapshotLoader;
  readonly put: (item: Item, deadline: number) => Promise<void>;
  readonly now: () => number;
}

/** Clocks differ, and a run takes its time between choosing a base and publishing. */
const MARGIN_SECONDS = 600;
const NOTHING = { bytes: 0, chunks: 0 };

/** The refresher's bases: which one a snapshot counts from, and when it is time for a new one. */
export class BaseKeeper {
  readonly #options: BaseKeeperOptions;
  #held: HeldBase | undefined;
  #verifiedAt = Number.NEGATIVE_INFINITY;

  constructor(options: BaseKeeperOptions) {
    this.#options = options;
  }

  /**
   * The snapshot as its difference from a base, which is written first where there is none that will do.
   *
   * @param known the base of the newest snapshot, for a container that holds none
   * @param keptUntil Unix seconds: the base has to live so long
   */
  async baseFor(
    id: string,
    table: StoredMarkets,
    known: BaseReference | undefined,
    keptUntil: number,
    deadline: number,
  ): Promise<BasedSnapshot> {
    const held = await this.#verified(known);
    if (held && this.#lives(held.reference, keptUntil)) {
      const delta = deltaOf(held.table, table);
      if (differenceShare(held.table, delta) <= BASE_DIFFERENCE_SHARE) {
        return { ...held, delta, written: NOTHING };
      }
    }
    return await this.#write(id, table, keptUntil, deadline);
  }

  #lives({ writtenAt, expiresAt }: BaseReference, keptUntil: number): boolean {
    const age = (this.#options.now() - writtenAt) / 1_000;
    return age >= 0 && age < BASE_SECONDS && expiresAt >= keptUntil;
  }

  /** The base that is held, or else known, if the store still has it: a broken one would break all that is counted from it. */
  async #verified(known: BaseReference | undefined): Promise<HeldBase | undefined> {
    const { loader, now } = this.#options;
    const reference = this.#held?.reference ?? known;
    if (!reference) return undefined;
    if (this.#held && now() - this.#verifiedAt < 1_000 * BASE_VERIFIED_SECONDS) return this.#held;
    try {
      const { table } = await loader.readBase(reference);
      // One of fewer columns is of an older version: readers would not know how many a difference from it has.
      const isOfToday = table.columns === COLUMNS.length;
      this.#held = isOfToday ? { reference, table: this.#held?.table ?? table } : undefined;
      this.#verifiedAt = now();
    } catch {
      this.#held = undefined; // a new one is written, and if the store is to blame, that tells
    }
    return this.#held;
  }

  async #write(
    id: string,
    table: StoredMarkets,
    keptUntil: number,
    deadline: number,
  ): Promise<BasedSnapshot> {
    const { put, now } = this.#options;
    const markets = encodeBase(table);
    const terms = encodeTerms(termTableOf(positions(table).map((position) => recordAt(table, position))));
    const reference: BaseReference = {
      id,
      markets: pieceOf(markets),
      terms: { ...pieceOf(terms), rules: TEXT_RULES },
      expiresAt: keptUntil + BASE_SECONDS + MARGIN_SECONDS,
      writtenAt: now(),
    };
    const items = [
      ...markets.chunks.map((data, n) => baseItem(reference, baseKey(id, n), data)),
      ...terms.chunks.map((data, n) => baseItem(reference, termsKey(id, n), data)),
    ];
    await Promise.all(items.map((item) => put(item, deadline)));
    this.#held = { reference, table };
    this.#verifiedAt = now();
    return {
      ...this.#held,
      delta: deltaOf(table, table),
      written: { bytes: markets.bytes + terms.bytes, chunks: items.length },
    };
  }
}

function pieceOf({ chunks, checksum }: Encoded): Piece {
  return { chunks: chunks.length, checksum };
}

function positions({ length }: StoredMarkets): number[] {
  return Array.from({ length }, (_, position) => position);
}
