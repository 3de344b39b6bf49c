import { describe, expect, it } from '@jest/globals';
import { supportedRegion } from '../../../../lib/config/supported-region.ts';

describe('the region that the CDK CLI deploys to', () => {
  it.each([undefined, 'eu-south-1', 'us-east-1'])('%s is taken', (name) => {
    expect(supportedRegion(name)).toBe(name);
  });

  it.each(['cn-north-1', 'us-gov-west-1', 'xx-nowhere-1'])('%s is refused as a setting would be', (name) => {
    expect(() => supportedRegion(name)).toThrow(
      `The CDK CLI deploys to ${name}: it must be an AWS region such as eu-central-1`,
    );
  });
});
