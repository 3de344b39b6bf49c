import { describe, expect, it } from '@jest/globals';
import { FRESH_SECONDS } from '../../../lambda/contract/constants.ts';
import { described, distribution } from './support/distribution.ts';
import { LIMIT_SECONDS } from './support/findings.ts';
import { type Hour, INTERVAL_MS, simulateHour } from './support/hour.ts';
import { type Episode, randomEpisodes, TROUBLES } from './support/troubles.ts';

/** A minute between two readings of the prices, the crawl before every other one, and how late a run may begin. */
const STEADY_SECONDS = 60 + 27 + 10;
const PUBLISH_SECONDS = 6;
/** A look at the pointer that began just before it moved (two reads of the store). */
const LOOK_SECONDS = 0.1;
/** From the time a run is due to its snapshot, by its pace. */
const DUE_TO_PUBLISHED_MS = 45_000;
const MINUTE_MS = 60_000;

/** The readings after the first snapshot. */
function served(hour: Hour): Hour['readings'] {
  const first = hour.readings.findIndex(({ list }) => list.status === 200);
  return hour.readings.slice(first);
}

/** The readings of the times when no trouble acts any more and the first run due after it has had its time. */
function healthy(hour: Hour): Hour['readings'] {
  const { episodes, startedAt } = hour;
  const sick = episodes.map(({ from, until }) => {
    const due = startedAt + Math.ceil((until - startedAt) / INTERVAL_MS) * INTERVAL_MS;
    return { from, until: due + DUE_TO_PUBLISHED_MS };
  });
  return served(hour).filter(
    ({ respondedAt }) => !sick.some(({ from, until }) => from <= respondedAt && respondedAt <= until),
  );
}

function tell(name: string, hour: Hour): void {
  process.stdout.write(`${described(name, hour, distribution(served(hour)))}\n`);
}

function expectHealed(hour: Hour): void {
  const { refused, max, responses } = distribution(healthy(hour));
  expect(responses).toBeGreaterThan(100);
  expect(refused).toBe(0);
  expect(max).toBeLessThanOrEqual(STEADY_SECONDS + PUBLISH_SECONDS);
}

describe('an hour without faults', () => {
  it('serves nothing older than a minute and the time that a run takes', async () => {
    const hour = await simulateHour({ seed: 1 });
    tell('A steady hour', hour);
    const slowest = Math.max(...hour.runs.map(({ publishMs }) => publishMs)) / 1_000;
    const { max, refused, responses } = distribution(served(hour));
    expect(hour.findings).toEqual([]);
    expect(responses).toBeGreaterThan(3_000);
    expect(refused).toBe(0);
    expect(slowest).toBeLessThan(PUBLISH_SECONDS);
    expect(max).toBeLessThanOrEqual(STEADY_SECONDS + slowest + LOOK_SECONDS);
  }, 60_000);
});

describe('five minutes of trouble', () => {
  it.each(TROUBLES)(
    '%s: fresh and whole data or 502, and healed by the next run',
    async (trouble) => {
      const episodes = (_: unknown, from: number): Episode[] => [
        { trouble, from: from + 5 * MINUTE_MS, until: from + 10 * MINUTE_MS },
      ];
      const hour = await simulateHour({ seed: 7, minutes: 18, episodes });
      tell(trouble, hour);
      expect(hour.findings).toEqual([]);
      expect(distribution(served(hour)).max).toBeLessThanOrEqual(LIMIT_SECONDS);
      // Without a catalogue there are prices all the same, each minute.
      if (trouble.startsWith('catalogue')) {
        expect(distribution(served(hour)).max).toBeLessThanOrEqual(FRESH_SECONDS);
        expect(distribution(served(hour)).refused).toBe(0);
      }
      expectHealed(hour);
    },
    60_000,
  );
});

describe('an hour of random faults', () => {
  it.each([11, 12, 13])(
    '(seed %i) serves fresh and whole data or 502, and heals by the next run each time',
    async (seed) => {
      const hour = await simulateHour({ seed, episodes: randomEpisodes });
      tell(`${hour.episodes.length} faults in an hour`, hour);
      expect(hour.episodes.length).toBeGreaterThanOrEqual(3);
      expect(hour.findings).toEqual([]);
      expect(distribution(served(hour)).max).toBeLessThanOrEqual(LIMIT_SECONDS);
      expectHealed(hour);
    },
    60_000,
  );
});
