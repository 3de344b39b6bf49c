import { describe, expect, it } from '@jest/globals';
import {
  ATTACKS,
  type Attack,
  attackHour,
  BEFORE,
  BOUNDS,
  quotaDay,
} from '../../../../tools/costs/attacks.ts';
import { readMeasured } from '../../../../tools/costs/measured.ts';
import { inCdkProcess } from '../../../support/cdk-process.ts';

const measured = readMeasured();
const named = (name: RegExp) => ATTACKS.find((attack) => name.test(attack.name)) as Attack;

describe.each(['dev', 'prod'] as const)('an hour of attack on %s', (stage) => {
  const deployed = inCdkProcess('deployedOf', stage);
  const fuses = inCdkProcess('fusesOf', stage);

  it.each(ATTACKS)('by $name stays below the bound, beside what CloudFront charges', (attack) => {
    const { rest, edge } = attackHour(attack, fuses, deployed, measured);
    expect(rest).toBeLessThanOrEqual(BOUNDS[stage]);
    expect(rest).toBeGreaterThan(0);
    expect(edge).toBeCloseTo(3_000 * 3_600 * 0.0000012);
  });

  // What a web ACL stops cost hardly anything before either.
  it.each(ATTACKS.filter(({ seenByWaf }) => stage === 'dev' || !seenByWaf))(
    'by $name cost more before the fuses',
    (attack) => {
      const before = attackHour(attack, BEFORE[stage], deployed, measured);
      const after = attackHour(attack, fuses, deployed, measured);
      expect(before.rest).toBeGreaterThan(after.rest);
    },
  );

  it('is bounded by the day’s quota too', () => {
    expect(fuses.requestsPerDay).toBeLessThan(24 * 3_600 * fuses.publicRate);
    expect(quotaDay(fuses, deployed, measured)).toBeLessThan(24 * BOUNDS[stage]);
  });
});

describe('the model of attacks', () => {
  const dev = inCdkProcess('deployedOf', 'dev');

  it('agrees with what reviewers reckoned of the default stage before its fuses: 58.60 and 131.50 USD, edge included', () => {
    const total = (attack: Attack) => {
      // They reckoned with the default page, compressed.
      const bodyBytes = measured.requests['list-markets'].responseBytes;
      const { rest, edge } = attackHour(attack, { ...BEFORE.dev, bodyBytes }, dev, measured);
      return rest + edge;
    };
    expect(total(named(/^one address/))).toBeGreaterThan(45);
    expect(total(named(/^one address/))).toBeLessThan(90);
    expect(total(named(/^many/))).toBeGreaterThan(110);
    expect(total(named(/^many/))).toBeLessThan(160);
  });

  it('lets a web ACL stop one address, and no crowd', () => {
    const fuses = { ...inCdkProcess('fusesOf', 'dev'), webAcl: true };
    const without = { ...fuses, webAcl: false };
    const served = (attack: Attack, with_: typeof fuses) => attackHour(attack, with_, dev, measured).rest;
    expect(served(named(/^one address/), fuses)).toBeLessThan(served(named(/^one address/), without) + 7.6);
    expect(served(named(/^many/), fuses)).toBeGreaterThan(served(named(/^many/), without));
  });
});
