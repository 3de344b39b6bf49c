import type { DatasetKey, MarketFacts } from './facts.ts';

/** What views of the generated markets read of them. */
export interface Dataset {
  readonly key: DatasetKey;
  /** Markets in it. */
  readonly size: number;
  facts(index: number): MarketFacts;
  /** USD, as of now. */
  volume(index: number): number;
}
