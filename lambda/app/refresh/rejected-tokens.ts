import type { CatalogueMarket } from '../../core/domain/market.ts';
import { HOUR_MS, type UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import { SIDES_BATCH_TOKENS } from '../../io/polymarket/clob-prices.ts';

type Token = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion'>;

interface Batches {
  readonly batches: readonly (readonly string[])[];
  /** Parts of rejected calls. */
  readonly suspects: readonly (readonly string[])[];
  /** Rejected tokens after their rest, each alone. */
  readonly alone: readonly (readonly string[])[];
}

/** A rejected token rests. Until then its market has a catalogue price, or none. */
const REST_MS = HOUR_MS;

/**
 * For all runs of a container. One such token makes CLOB reject the whole call, so it returns to a batch only after
 * CLOB has accepted it alone.
 */
export class RejectedTokens {
  readonly #restingUntil = new Map<string, UnixMs>();
  /** One for each rejected call that is not divided yet. */
  #suspects: readonly (readonly string[])[] = [];

  /** @param maxAlone rejected tokens to try */
  batches(markets: readonly Token[], now: UnixMs, maxAlone: number): Batches {
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    for (const token of this.#restingUntil.keys()) if (!listed.has(token)) this.#restingUntil.delete(token);
    const suspects = this.#suspects.map((part) => part.filter((token) => listed.has(token)));
    const apart = new Set([...suspects.flat(), ...this.#restingUntil.keys()]);
    const others = markets.filter(({ clobTokenId }) => !apart.has(clobTokenId));
    // CLOB's response to Protocol V2 ids is not documented, so they share no call with others.
    const groups = [...Map.groupBy(others, ({ protocolVersion }) => protocolVersion).values()];
    const batches = groups.flatMap((group) =>
      inGroups(
        group.map(({ clobTokenId }) => clobTokenId),
        SIDES_BATCH_TOKENS,
      ),
    );
    const due = [...this.#restingUntil].filter(([, until]) => until <= now).slice(0, maxAlone);
    return {
      batches,
      suspects: suspects.filter((part) => part.length > 0),
      alone: due.map(([token]) => [token]),
    };
  }

  /** Only a reading in which CLOB accepted something proves that a token is wrong. */
  search(now: UnixMs) {
    const accepted: string[] = [];
    const rejected: string[] = [];
    const suspects = new Map<readonly string[], string[]>();
    return {
      accept: (tokens: readonly string[]): void => void accepted.push(...tokens),
      reject: (tokens: readonly string[]): void => void rejected.push(...tokens),
      /** @param whole the call that contained the tokens */
      suspect: (tokens: readonly string[], whole: readonly string[]): void =>
        void suspects.set(whole, [...(suspects.get(whole) ?? []), ...tokens]),
      /** @returns whether CLOB accepted something or rejected nothing */
      end: (): boolean => {
        const hasRejected = rejected.length > 0 || suspects.size > 0;
        if (accepted.length === 0) return !hasRejected;
        for (const token of accepted) this.#restingUntil.delete(token);
        for (const token of rejected) this.#restingUntil.set(token, now + REST_MS);
        this.#suspects = [...suspects.values()];
        return true;
      },
    };
  }
}
