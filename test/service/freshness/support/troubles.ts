import type { Dice } from '../../../support/dice.ts';

/** What can go wrong in a simulated hour. */
export const TROUBLES = [
  /** No page of the catalogue arrives; the client tries again until the run's time is up. */
  'catalogue down',
  'catalogue slow',
  'midpoints fail',
  'histories fail',
  /** Writes to the store fail at any of their steps. */
  'store refuses writes',
  'store refuses reads',
  'store slow',
  /** Runs end in the middle of publishing and leave chunks behind. */
  'runs are killed',
  'schedule stands still',
  'schedule late by up to a minute',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Episode {
  readonly trouble: Trouble;
  /** Absolute ms. */
  readonly from: number;
  readonly until: number;
}

const QUIET_MS: readonly [number, number] = [360_000, 480_000];
const LENGTH_MS: readonly [number, number] = [30_000, 420_000];

/** Episodes of trouble one after the other, with quiet between them that is long enough to heal in. */
export function randomEpisodes(dice: Dice, from: number, until: number): Episode[] {
  const episodes: Episode[] = [];
  let at = from + dice.between(...QUIET_MS);
  for (;;) {
    const end = at + dice.between(...LENGTH_MS);
    if (end + QUIET_MS[0] > until) return episodes;
    episodes.push({ trouble: dice.pick(TROUBLES), from: at, until: end });
    at = end + dice.between(...QUIET_MS);
  }
}

export function isActive(episodes: readonly Episode[], trouble: Trouble, now: number): boolean {
  return episodes.some(
    (episode) => episode.trouble === trouble && episode.from <= now && now < episode.until,
  );
}
