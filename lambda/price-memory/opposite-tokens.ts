import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { SnapshotSource } from '../snapshots/snapshot-reader.ts';

/** Which token is the other outcome's hardly changes: new markets come, and are not remembered for long anyway. */
const KEPT_MS = 600_000;

/** Tells the YES token of a market with two outcomes by its other one, as the newest snapshot has it. */
export class OppositeTokens {
  readonly #source: Pick<SnapshotSource, 'latest' | 'read'>;
  readonly #clock: Clock;
  #held: { readonly at: number; readonly tokens: Promise<ReadonlyMap<string, string>> } | undefined;

  constructor(source: Pick<SnapshotSource, 'latest' | 'read'>, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * @param deadline absolute ms
   * @returns undefined where the token is none, or of no listed market
   * @throws TimeoutError, or what the store throws
   */
  async yesTokenOf(token: string, deadline: number): Promise<string | undefined> {
    const now = this.#clock.now();
    if (!this.#held || now - this.#held.at > KEPT_MS) this.#held = { at: now, tokens: this.#read() };
    const { tokens } = this.#held;
    try {
      return (await withTimeout(this.#clock, deadline - now, () => tokens)).get(token);
    } catch (error) {
      this.#held = undefined;
      throw error;
    }
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const manifest = await this.#source.latest();
    if (!manifest) return new Map();
    const yes = new Map<string, string>();
    for (const { outcomes, clobTokenId } of (await this.#source.read(manifest)).records) {
      const other = outcomes.find(({ tokenId }) => tokenId !== clobTokenId);
      if (outcomes.length === 2 && other) yes.set(other.tokenId, clobTokenId);
    }
    return yes;
  }
}
