/**
 * Remembers which tokens make CLOB reject a call. One such token makes CLOB reject the whole call,
 * so the reader of prices divides a rejected call until the token is alone. Then the token
 * - rests for an hour: no call contains it;
 * - is due after that: it has a call of its own, and rests again unless CLOB accepts it.
 *
 * If a reading ends before it has divided a rejected call, the undivided part is suspect: it has a
 * call of its own in the next reading.
 */
import type { CatalogueMarket } from '../../core/domain/market.ts';
import { HOUR_MS, type UnixMs } from '../../core/domain/time.ts';
import { SIDES_BATCH_TOKENS } from '../../io/polymarket/clob-prices.ts';
import { batchesByVersion } from './batches.ts';

type Token = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion'>;

/** The calls of one reading: a list of tokens for each. */
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
  /** Undivided parts of rejected calls, and suspects whose own call failed. */
  readonly suspects: (readonly string[])[];
}

/** During the rest of a token, its market has a catalogue price or none. */
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
    const separate = new Set([...suspects.flat(), ...this.#restingUntil.keys()]);
    const others = markets.filter(({ clobTokenId }) => !separate.has(clobTokenId));
    const batches = batchesByVersion(others, SIDES_BATCH_TOKENS);
    const maxDue = Math.max(0, maxSeparateCalls - suspects.length);
    return {
      batches: batches.map((batch) => batch.map(({ clobTokenId }) => clobTokenId)),
      suspects,
      due: this.#due(now).slice(0, maxDue),
    };
  }

  /** A call for each token whose rest is over. */
  #due(now: UnixMs): string[][] {
    const due: string[][] = [];
    for (const [token, until] of this.#restingUntil) if (until <= now) due.push([token]);
    return due;
  }

  #forgetUnlisted(listed: ReadonlySet<string>): void {
    for (const token of this.#restingUntil.keys())
      if (!listed.has(token)) this.#restingUntil.delete(token);
  }

  /**
   * Records what a reading found.
   *
   * @returns false if CLOB accepted no token and rejected some: then it rejects everything, no token
   * is at fault, and nothing is recorded
   */
  record({ accepted, rejected, suspects }: Findings, now: UnixMs): boolean {
    if (accepted.length === 0) return rejected.length === 0 && suspects.length === 0;
    for (const token of accepted) this.#restingUntil.delete(token);
    for (const token of rejected) this.#restingUntil.set(token, now + REST_MS);
    this.#suspects = suspects;
    return true;
  }
}
