import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { byVolume } from '../../../../lambda/domain/market.ts';
import { changesBetween, type ListVersion, listVersion } from '../../../../lambda/query/changes.ts';
import { Dice } from '../../../support/dice.ts';
import { births, encoded, firstSnapshot, nextSnapshot, rebuilt } from './trading-lists.ts';

describe('changes', () => {
  it('make the newest list of an older one, byte for byte, over 1,000 snapshots', () => {
    const dice = new Dice(1414);
    const fresh = births(dice);
    const churn = { active: 0.3, baseline: 0.2, comeOrGo: 0.03, chaos: 0.1 };
    let markets = firstSnapshot(40, fresh);
    const versions: ListVersion[] = [listVersion(markets)];
    for (let n = 0; n < 1_000; n += 1) {
      // Now and then everything comes anew, or hardly anything is left.
      if (dice.chance(0.01)) markets = firstSnapshot(40, fresh);
      if (dice.chance(0.01)) markets = markets.slice(0, 2);
      if (dice.chance(0.05) && markets.length < 40) markets = [...markets, fresh(), fresh()].sort(byVolume);
      markets = nextSnapshot(markets, churn, dice, fresh);
      const to = listVersion(markets);
      for (const from of [versions.at(-1), versions.at(-Math.ceil(dice.between(1, 30)))]) {
        if (from && rebuilt(from, to) !== encoded(to)) throw new Error(`Snapshot ${n} is not rebuilt`);
      }
      versions.push(to);
    }
    expect(versions).toHaveLength(1_001);
  });

  it('cost a follower at most a tenth of the bytes of the list, gzipped, over an hour', () => {
    const dice = new Dice(60);
    const fresh = births(dice);
    // Trading is concentrated: within two minutes 360 of the 2,000 largest markets are traded, and 160 had a price a day
    // ago that differs from the one two minutes before. An assumption, not a measurement.
    const churn = { active: 0.18, baseline: 0.08, comeOrGo: 0.001, chaos: 0 };
    let markets = firstSnapshot(2_000, fresh);
    let before = listVersion(markets);
    let follower = 0;
    let downloader = 0;
    for (let minute = 2; minute <= 60; minute += 2) {
      markets = nextSnapshot(markets, churn, dice, fresh);
      const after = listVersion(markets);
      const about = { from: 'x'.repeat(28), to: 'y'.repeat(28), asOf: 'z'.repeat(24) };
      follower += gzipSync(JSON.stringify({ ...about, ...changesBetween(before, after) })).length;
      // Something has always changed, so the tag of the whole list never fits.
      if (encoded(before) !== encoded(after)) downloader += gzipSync(encoded(after)).length;
      before = after;
    }
    const share = follower / downloader;
    console.info(
      `A follower of 2,000 markets moves ${Math.round(follower / 1_024)} KB in an hour, ` +
        `one that downloads the list ${Math.round(downloader / 1_024)} KB: ${(100 * share).toFixed(1)} %`,
    );
    expect(share).toBeLessThanOrEqual(0.1);
  });
});
