import { describe, expect, it, jest } from '@jest/globals';
import type { Fetch } from '../../../../lambda/http-client/fetch.ts';
import { watchFrontDoor } from '../../../../lambda/watch/front-door.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const FAILED = 'The front door does not respond as it should';

function rig(fetch: Fetch) {
  const clock = new ManualClock();
  const logger = { error: jest.fn() };
  return { clock, logger, watch: watchFrontDoor({ url: 'https://door.example', fetch, clock, logger }) };
}

const responding = (body: string, status = 200): Fetch => jest.fn(async () => new Response(body, { status }));

describe('the watch of the front door', () => {
  it.each(['ok', 'stale', 'empty'])(
    'is content with the status %s: the way to it is open',
    async (status) => {
      const fetch = responding(JSON.stringify({ status, ageSeconds: 12 }));
      const { logger, watch } = rig(fetch);
      await watch();
      expect(fetch).toHaveBeenCalledWith(
        'https://door.example/api/status',
        expect.objectContaining({ method: 'GET' }),
      );
      expect(logger.error).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['403 for everybody', responding('{"message":"Forbidden"}', 403), { failure: 'status', status: 403 }],
    ['an error of CloudFront', responding('<html>', 504), { failure: 'status', status: 504 }],
    ['429 for everybody', responding('{}', 429), { failure: 'status', status: 429 }],
    ['a page of somebody else', responding('<html>'), { failure: 'not_json', status: 200 }],
    ['JSON of somebody else', responding('{"hello":1}'), { failure: 'wrong_shape', status: 200 }],
    ['JSON that is no object', responding('null'), { failure: 'wrong_shape', excerpt: 'null' }],
    ['no address', () => Promise.reject(new TypeError('fetch failed')), { failure: 'network' }],
  ] as const)('fails, with a line, for %s', async (_, fetch, keys) => {
    const { logger, watch } = rig(fetch);
    await expect(watch()).rejects.toMatchObject({ name: 'UpstreamError', failure: keys.failure });
    expect(logger.error.mock.calls).toEqual([[FAILED, expect.objectContaining(keys)]]);
  });

  it('fails for silence, after ten seconds', async () => {
    const { clock, logger, watch } = rig(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init.signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    const watching = watch();
    watching.catch(() => undefined);
    await clock.advance(9_999);
    expect(logger.error).not.toHaveBeenCalled();
    await clock.advance(1);
    await expect(watching).rejects.toMatchObject({ failure: 'timeout' });
    expect(logger.error).toHaveBeenCalledTimes(1);
  });
});
