import type { Troubles } from './simulated-upstreams.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const WELL: Troubles = { catalogueDown: false, histories: 'well' };

export interface Scenario {
  readonly name: string;
  /** Share of the runs that end without anything. */
  readonly failedRuns: number;
  /** @param ms since the first run */
  readonly troubles: (ms: number) => Troubles;
}

/** The outage comes in the first hour, and then once a day. */
const OUTAGE_FROM = 30 * MINUTE;
const OUTAGE_UNTIL = 40 * MINUTE;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'No fault', failedRuns: 0, troubles: () => WELL },
  { name: 'One run in ten fails', failedRuns: 0.1, troubles: () => WELL },
  {
    name: 'The batch route is gone',
    failedRuns: 0,
    troubles: () => ({ catalogueDown: false, histories: 'no batch' }),
  },
  {
    name: 'All history is gone',
    failedRuns: 0,
    troubles: () => ({ catalogueDown: false, histories: 'gone' }),
  },
  {
    name: 'No catalogue for ten minutes a day',
    failedRuns: 0,
    troubles: (ms) => ({
      catalogueDown: ms % DAY >= OUTAGE_FROM && ms % DAY < OUTAGE_UNTIL,
      histories: 'well',
    }),
  },
];
