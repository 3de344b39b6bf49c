import { describe, expect, it } from '@jest/globals';
import { type RunKind, runRefresh } from '../../../../lambda/app/refresh/refresh.ts';
import { MAX_AGE_SECONDS } from '../../../../lambda/core/contract/constants.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { Dice } from '../../../support/dice.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { catalogueMarkets, World } from './refresh-fakes.ts';

const MINUTE = 60_000;
/** Lambda's time for a run without what its report needs. */
const RUN_MS = 116_000;
const MAX_AGE_MS = MAX_AGE_SECONDS * 1_000;

/** Random beginnings of each outage. Set OUTAGES=200 to look for rare ones: it takes two minutes. */
const BEGINNINGS = Number(process.env.OUTAGES ?? 10);

/** How long the client takes to give up, with its retries; `hang` and an empty object, until its deadline. */
const FAILURES: Readonly<Record<string, (dice: Dice) => number>> = {
  '403': (dice) => dice.between(500, 1_000),
  '404': () => 50,
  '5xx': (dice) => dice.between(4_000, 8_000),
  hang: () => Number.POSITIVE_INFINITY,
  'an empty object': (dice) => dice.between(4_000, 8_000),
};

/** The greatest age of the newest snapshot in the schedule of AWS, in ms, while CLOB fails for some minutes. */
async function worstAge(failMs: (dice: Dice) => number, minutes: number, crawlMs: number, dice: Dice): Promise<number> {
  const clock = new ManualClock();
  const world = new World(clock);
  world.markets = catalogueMarkets(3);
  const { page, sides } = world;
  world.page = async (...args) => {
    await sleep(clock, crawlMs * dice.between(0.7, 1.2));
    return await page(...args);
  };
  const started = clock.now();
  const down = started + 4 * MINUTE + dice.between(0, 2 * MINUTE);
  const isDown = () => clock.now() >= down && clock.now() < down + minutes * MINUTE;
  world.sides = async (tokens, deadline) => {
    await sleep(clock, 300);
    if (!isDown()) return await sides(tokens, deadline);
    await sleep(clock, Math.max(0, Math.min(failMs(dice), deadline - clock.now())));
    throw new Error('CLOB is down');
  };
  const ages: number[] = [];
  const publish = world.writer.publish.bind(world.writer);
  world.writer.publish = async (snapshot) => {
    await sleep(clock, 300);
    ages.push(clock.now() - (world.writer.last?.asOf ?? clock.now()));
    return await publish(snapshot);
  };
  const containers = [world.container(), world.container()] as const;
  const begin = (kind: RunKind, n: 0 | 1) => void runRefresh(kind, containers[n], clock.now() + RUN_MS);
  while (clock.now() < down + (minutes + 4) * MINUTE) {
    begin('full', 0);
    await clock.advance(MINUTE + 2_000);
    begin('prices', 1);
    await clock.advance(MINUTE - 2_000);
  }
  return Math.max(...ages, clock.now() - (world.writer.last?.asOf ?? 0));
}

describe('while CLOB fails and the catalogue responds, readers always have data', () => {
  it.each(
    Object.keys(FAILURES).flatMap((failure) =>
      [10, 30].flatMap((minutes) => [4_000, 35_000].map((crawlMs) => [failure, minutes, crawlMs] as const)),
    ),
  )('with %s for %i minutes from any second, with a crawl of %i ms', async (failure, minutes, crawlMs) => {
    const dice = new Dice(7);
    const ages: number[] = [];
    for (let n = 0; n < BEGINNINGS; n++) {
      ages.push(await worstAge(FAILURES[failure] ?? (() => 0), minutes, crawlMs, dice));
    }
    expect(Math.max(...ages)).toBeLessThanOrEqual(MAX_AGE_MS);
  });
});
