import type { CatalogueMarket } from '../../core/domain/market.ts';
import { HOUR_MS, type UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import { SIDES_BATCH_TOKENS } from '../../io/polymarket/clob-prices.ts';

type Token = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion'>;

/** The calls of one reading. */
interface Batches {
  /** Tokens that are read together. */
  readonly batches: readonly (readonly string[])[];
  /** Parts of rejected calls. Each is a separate call. */
  readonly suspects: readonly (readonly string[])[];
  /** Rejected tokens whose rest is over. Each is a separate call. */
  readonly due: readonly (readonly string[])[];
}

/** What a reading found out about its tokens. */
export interface Findings {
  readonly accepted: string[];
  readonly rejected: string[];
  /** One part for each rejected call that is not divided yet, and parts whose call failed. */
  readonly suspects: (readonly string[])[];
}

/** How long a rejected token rests. During the rest, its market has a catalogue price or none. */
const REST_MS = HOUR_MS;

/**
 * The tokens that CLOB rejects, for all runs of a container. One rejected token makes CLOB reject
 * the whole call, so it returns to a batch only after CLOB accepted it alone.
 */
export class RejectedTokens {
  readonly #restingUntil = new Map<string, UnixMs>();
  #suspects: Findings['suspects'] = [];

  /**
   * Divides the tokens of a reading into calls.
   *
   * @param maxSeparateCalls limits the tokens that are due, not the suspects
   */
  batches(markets: readonly Token[], now: UnixMs, maxSeparateCalls: number): Batches {
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    for (const token of this.#restingUntil.keys())
      if (!listed.has(token)) this.#restingUntil.delete(token);
    const parts = this.#suspects.map((part) => part.filter((token) => listed.has(token)));
    const suspects = parts.filter((part) => part.length > 0);
    const apart = new Set([...suspects.flat(), ...this.#restingUntil.keys()]);
    const others = markets.filter(({ clobTokenId }) => !apart.has(clobTokenId));
    // CLOB's response to Protocol V2 ids is not documented, so they have their own calls.
    const groups = [...Map.groupBy(others, ({ protocolVersion }) => protocolVersion).values()];
    const batches = groups.flatMap((group) => inGroups(group, SIDES_BATCH_TOKENS));
    const due = [...this.#restingUntil].filter(([, until]) => until <= now);
    const maxDue = Math.max(0, maxSeparateCalls - suspects.length);
    return {
      batches: batches.map((batch) => batch.map(({ clobTokenId }) => clobTokenId)),
      suspects,
      due: due.slice(0, maxDue).map(([token]) => [token]),
    };
  }

  /**
   * Records what a reading found.
   *
   * @returns false if CLOB rejected calls and accepted none: then no token is at fault
   */
  record({ accepted, rejected, suspects }: Findings, now: UnixMs): boolean {
    if (accepted.length === 0) return rejected.length === 0 && suspects.length === 0;
    for (const token of accepted) this.#restingUntil.delete(token);
    for (const token of rejected) this.#restingUntil.set(token, now + REST_MS);
    this.#suspects = suspects;
    return true;
  }
}
