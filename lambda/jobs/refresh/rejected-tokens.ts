/**
 * One rejected token makes CLOB reject a whole call. So a reading divides each rejected call until
 * it finds the token. A rejected token rests for an hour. Then it has a call of its own, and
 * returns to the others if CLOB accepts it. A part of a rejected call that a reading could not
 * divide to the end is suspect. It has a call of its own in the next reading.
 */
import type { CatalogueMarket } from '../../core/domain/market.ts';
import { HOUR_MS, type UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import { SIDES_BATCH_TOKENS } from '../../io/polymarket/clob-prices.ts';

type Token = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion'>;

/** The calls of one reading, each with its tokens. */
interface Batches {
  /** Tokens that CLOB accepted before, or that are new. */
  readonly batches: readonly (readonly string[])[];
  readonly suspects: readonly (readonly string[])[];
  /** Rejected tokens whose rest is over, one by one. */
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

/** The tokens that CLOB rejects, for all runs of a container. */
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
    this.#forgetUnlisted(listed);
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

  #forgetUnlisted(listed: ReadonlySet<string>): void {
    for (const token of this.#restingUntil.keys())
      if (!listed.has(token)) this.#restingUntil.delete(token);
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
