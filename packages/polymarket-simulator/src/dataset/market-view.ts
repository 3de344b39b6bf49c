import type { Filterable } from '../source.ts';
import type { Dataset } from './dataset.ts';
import { mix } from './hash.ts';
import { flagsOf, liquidityOf } from './quick-facts.ts';
import { TAGS } from './tags.ts';

/** A generated market as filters see it; what they do not ask for is never made. */
export class MarketView implements Filterable {
  readonly #source: Dataset;
  readonly #index: number;
  #flags: ReturnType<typeof flagsOf> | undefined;

  constructor(source: Dataset, index: number) {
    this.#source = source;
    this.#index = index;
  }

  get id(): string {
    return this.#facts.id;
  }

  get slug(): string {
    return this.#facts.slug;
  }

  get conditionId(): string {
    return this.#facts.paddedConditionId;
  }

  get clobTokenIds(): readonly string[] {
    return this.#facts.clobTokenIds ?? [];
  }

  get positionIds(): readonly string[] {
    return this.#facts.positionIds ?? [];
  }

  get tagIds(): readonly string[] {
    return this.#facts.tags.map((slug) => TAGS[slug]?.id ?? slug);
  }

  get closed(): boolean {
    return this.#quick.closed;
  }

  get active(): boolean {
    return this.#quick.active;
  }

  get archived(): boolean {
    return this.#quick.archived;
  }

  get volume(): number | undefined {
    return this.#source.volume(this.#index) || undefined;
  }

  get liquidity(): number | undefined {
    return liquidityOf(mix(this.#source.key.seed, this.#index)) || undefined;
  }

  get startMs(): number {
    return this.#facts.createdAt;
  }

  get endMs(): number | undefined {
    return this.#facts.endMs;
  }

  get #facts() {
    return this.#source.facts(this.#index);
  }

  get #quick() {
    this.#flags ??= flagsOf(mix(this.#source.key.seed, this.#index));
    return this.#flags;
  }
}
