import { describe, expect, it, jest } from '@jest/globals';
import {
  LARGE_BODIES_AT_ONCE_BYTES,
  LARGE_BODIES_BYTES_PER_SECOND,
  LARGE_BODY_BYTES,
} from '../../../../lambda/contract/constants.ts';
import { LargeBodies } from '../../../../lambda/http/large-bodies.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MEGABYTE = 1_000_000;
const AT_ONCE = LARGE_BODIES_AT_ONCE_BYTES / (5 * MEGABYTE);

function rig() {
  const clock = new ManualClock();
  const logger = { warn: jest.fn() };
  const largeBodies = new LargeBodies(logger, clock);
  /** How many of so many bodies of 5 MB are let through. */
  const taken = (bodies: number, acceptEncoding?: string) =>
    Array.from({ length: bodies }, () => largeBodies.take(FIVE_MEGABYTES, acceptEncoding, 'r')).filter(
      (error) => error === undefined,
    ).length;
  return { clock, logger, largeBodies, taken };
}

const FIVE_MEGABYTES = 'x'.repeat(5 * MEGABYTE);

describe('the fuse of large bodies', () => {
  it('lets so many bytes through at once, then so many a second', async () => {
    const { clock, taken } = rig();
    expect(taken(AT_ONCE + 3)).toBe(AT_ONCE);
    await clock.advance(10_000);
    expect(taken(3)).toBe((10 * LARGE_BODIES_BYTES_PER_SECOND) / (5 * MEGABYTE));
  });

  it('fills up again, and no further', async () => {
    const { clock, taken } = rig();
    taken(AT_ONCE);
    await clock.advance(24 * 3_600_000);
    expect(taken(AT_ONCE + 1)).toBe(AT_ONCE);
  });

  it('takes nothing for a body that is not large, in bytes rather than characters, and never refuses one', () => {
    const { largeBodies, taken } = rig();
    taken(AT_ONCE);
    expect(largeBodies.take('x'.repeat(LARGE_BODY_BYTES), undefined, 'r')).toBeUndefined();
    expect(largeBodies.take('x'.repeat(LARGE_BODY_BYTES + 1), undefined, 'r')).toBeDefined();
    expect(largeBodies.take('ä'.repeat(LARGE_BODY_BYTES / 2 + 1), undefined, 'r')).toBeDefined();
  });

  it.each(['gzip', 'br', 'deflate, GZIP;q=0.5'])('counts a third where %s is accepted', (acceptEncoding) => {
    const { largeBodies, taken } = rig();
    expect(taken(2 * AT_ONCE, acceptEncoding)).toBe(2 * AT_ONCE);
    expect(largeBodies.take('x'.repeat(2 * LARGE_BODY_BYTES), acceptEncoding, 'r')).toBeUndefined();
  });

  it.each([undefined, '', 'identity', 'gzip;q=0', 'gzip; q=0.0', 'gzipped'])(
    'counts all with %j',
    (acceptEncoding) => {
      expect(rig().taken(AT_ONCE + 1, acceptEncoding)).toBe(AT_ONCE);
    },
  );

  it('refuses with 429 and what to do, and logs it once in ten seconds', async () => {
    const { clock, logger, largeBodies, taken } = rig();
    taken(AT_ONCE + 5);
    expect(logger.warn.mock.calls).toEqual([
      [
        'Responded with an error',
        { requestId: 'r', code: 'rate_limited', cause: 'large bodies', bytes: 5 * MEGABYTE },
      ],
    ]);
    const error = largeBodies.take('x'.repeat(6 * MEGABYTE), undefined, 'r');
    expect(error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/limit.*gzip.*wait 60 seconds/),
    });
    await clock.advance(10_000);
    taken(2);
    expect(logger.warn).toHaveBeenCalledTimes(2);
  });

  it('is not filled by a clock that is set back', () => {
    const logger = { warn: jest.fn() };
    let now = 1_000_000;
    const largeBodies = new LargeBodies(logger, { now: () => now });
    for (let n = 0; n < AT_ONCE; n++) largeBodies.take(FIVE_MEGABYTES, undefined, 'r');
    now = 0;
    expect(largeBodies.take(FIVE_MEGABYTES, undefined, 'r')).toBeDefined();
  });
});
