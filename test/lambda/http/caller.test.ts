// Who sends a request decides which address the rate limit counts, and how links begin. A request
// comes through the front door (CloudFront, which sends a public API key and the viewer's address),
// from a partner with an own key, or directly to API Gateway.

import { describe, expect, it } from '@jest/globals';
import { pipeline } from '../../../lambda/http/pipeline.ts';
import { ok } from '../../../lambda/http/response.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../support/api-event.ts';

/** A deployment with a front door, which has an old public key and its successor. */
const FRONT_DOOR = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID, 'successor-key'] };
const NO_FRONT_DOOR = { frontDoor: false, publicKeyIds: [PUBLIC_KEY_ID] };
/** The address that API Gateway sees, which is that of CloudFront. */
const EDGE = '203.0.113.7';
/** The addresses of the people before CloudFront. */
const VIEWER = '198.51.100.10';
const OTHER_VIEWER = '198.51.100.11';

/**
 * Sends a request, which comes through the front door unless its options name another key.
 *
 * @returns the addresses that the limit counts, and the path that the endpoint gets for links
 */
async function callerOf(options: EventOptions, callers = FRONT_DOOR) {
  const counted: string[] = [];
  const limiter = {
    limit: 60,
    immediateRefusal: () => undefined,
    check: async (address: string) => void counted.push(address),
  };
  const ignore = () => undefined;
  const handler = pipeline({
    route: 'list-markets',
    logger: { warn: ignore, error: ignore },
    metrics: { add: ignore, flush: ignore },
    callers,
    limiter,
    endpoint: (request) => ok(request.path, {}),
  });
  const event = apiEvent({ sourceIp: EDGE, ...options });
  const { body: path } = await handler(event, {} as never);
  return { counted, path };
}
const countedFor = async (options: EventOptions, callers = FRONT_DOOR) =>
  (await callerOf(options, callers)).counted;

describe('the limit', () => {
  it.each([
    ['198.51.100.10', '198.51.100.10'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s by %s, from API Gateway or the front door [sentence 33]', async (text, address) => {
    expect(await countedFor({ sourceIp: text, apiKeyId: null })).toEqual([address]);
    const headers = { 'x-viewer-ip': text };
    expect(await countedFor({ headers })).toEqual([address]);
    expect(await countedFor({ headers, apiKeyId: 'successor-key' })).toEqual([address]);
  });

  it('reads the header of the front door in any case', async () => {
    expect(await countedFor({ headers: { 'X-Viewer-Ip': VIEWER } })).toEqual([VIEWER]);
  });

  it.each([
    '256.1.1.1',
    '1.2.3',
    '0x7f.0.0.1',
    '010.1.1.1',
    '1.2.3.4:443',
    '1.2.3.4, 5.6.7.8',
    'unknown',
    '',
    '[2001:db8::1]',
    '2001:db8::1::2',
    '2001:db8::/64',
  ])('ignores a header that is not an address: %j', async (text) => {
    expect(await countedFor({ headers: { 'x-viewer-ip': text } })).toEqual([EDGE]);
  });

  it.each<[string, EventOptions['headers']]>([
    ['without x-viewer-ip', {}],
    ['with two values', { 'x-viewer-ip': [VIEWER, OTHER_VIEWER] }],
    ['with two spellings of the name', { 'x-viewer-ip': VIEWER, 'X-Viewer-Ip': OTHER_VIEWER }],
    ['with forwarding headers', { 'X-Forwarded-For': VIEWER, Forwarded: `for=${VIEWER}` }],
    ['with headers of other CDNs', { 'CF-Connecting-IP': VIEWER, 'X-Real-IP': VIEWER }],
  ])("counts API Gateway's address for a request %s", async (_case, headers = {}) => {
    expect(await countedFor({ headers })).toEqual([EDGE]);
  });

  it.each([null, ''])(
    'ignores the header of a caller without the public key: %j',
    async (apiKeyId) => {
      const headers = { 'x-viewer-ip': VIEWER };
      expect(await countedFor({ headers, apiKeyId })).toEqual([EDGE]);
    },
  );

  it('ignores the header if the service has no front door', async () => {
    const headers = { 'x-viewer-ip': VIEWER };
    expect(await countedFor({ headers }, NO_FRONT_DOOR)).toEqual([EDGE]);
  });

  it('counts a source that is not an address by its text', async () => {
    const sourceIp = 'test-invoke-source-ip';
    expect(await countedFor({ sourceIp })).toEqual([sourceIp]);
  });

  it.each([FRONT_DOOR, NO_FRONT_DOOR])('does not count a partner, with %j', async (callers) => {
    const request = { headers: { 'x-viewer-ip': VIEWER }, apiKeyId: 'partner-key' };
    expect(await countedFor(request, callers)).toEqual([]);
  });
});

describe('the path of links', () => {
  it('has no stage for a caller of the front door', async () => {
    expect((await callerOf({ apiKeyId: 'successor-key' })).path).toBe('/api/markets');
  });

  it.each([
    ['with a partner key', FRONT_DOOR, 'partner-key'],
    ['without a key', FRONT_DOOR, null],
    ['without a front door', NO_FRONT_DOOR, PUBLIC_KEY_ID],
  ])('begins with the stage for a caller of API Gateway %s', async (_case, callers, apiKeyId) => {
    expect((await callerOf({ apiKeyId }, callers)).path).toBe('/dev/api/markets');
  });
});
