import { describe, expect, it } from '@jest/globals';
import { pipeline } from '../../../lambda/http/pipeline.ts';
import { ok } from '../../../lambda/http/response.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../support/api-event.ts';

const BOTH = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID, 'successor-key'] };
const NO_FRONT_DOOR = { frontDoor: false, publicKeyIds: [PUBLIC_KEY_ID] };
const EDGE = '203.0.113.7';
const VIEWER = '198.51.100.10';

/** What the limit counts by (none for a partner), and the path that the endpoint gets for links. */
async function callerOf(options: EventOptions, callers = BOTH) {
  const counted: string[] = [];
  const limiter = {
    limit: 60,
    immediateRefusal: () => undefined,
    check: async (address: string) => void counted.push(address),
  };
  const unused = () => undefined;
  const handler = pipeline({
    route: 'list-markets',
    logger: { warn: unused, error: unused },
    metrics: { add: unused, flush: unused },
    rateLimit: { callers, limiter },
    endpoint: (request) => ok(request.path, {}),
  });
  const { body: path } = await handler(apiEvent({ sourceIp: EDGE, ...options }), {} as never);
  return { counted, path };
}
const countedFor = async (options: EventOptions, callers = BOTH) =>
  (await callerOf(options, callers)).counted;

describe('the limit counts', () => {
  it.each([
    ['198.51.100.10', '198.51.100.10'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s by %s, from API Gateway or the front door [sentence 33]', async (text, address) => {
    expect(await countedFor({ sourceIp: text, apiKeyId: null })).toEqual([address]);
    expect(await countedFor({ headers: { 'X-Viewer-Ip': text } })).toEqual([address]);
    expect(
      await countedFor({ headers: { 'x-viewer-ip': text }, apiKeyId: 'successor-key' }),
    ).toEqual([address]);
  });

  const MALFORMED = [
    '256.1.1.1',
    '1.2.3',
    '0x7f.0.0.1',
    '010.1.1.1',
    '1.2.3.4:443',
    '1.2.3.4, 5.6.7.8',
    'unknown',
  ];
  it.each([...MALFORMED, '', '[2001:db8::1]', '2001:db8::1::2', '2001:db8::/64'])(
    'no header %j',
    async (text) => {
      expect(await countedFor({ headers: { 'x-viewer-ip': text } })).toEqual([EDGE]);
    },
  );

  it.each<[string, EventOptions, typeof BOTH]>([
    ['no x-viewer-ip', {}, BOTH],
    ['two values', { headers: { 'x-viewer-ip': [VIEWER, '198.51.100.11'] } }, BOTH],
    [
      'two spellings of the name',
      { headers: { 'x-viewer-ip': VIEWER, 'X-Viewer-Ip': '198.51.100.11' } },
      BOTH,
    ],
    [
      'forwarding headers',
      { headers: { 'X-Forwarded-For': VIEWER, Forwarded: `for=${VIEWER}` } },
      BOTH,
    ],
    [
      'the header of another CDN',
      { headers: { 'CF-Connecting-IP': VIEWER, 'X-Real-IP': VIEWER } },
      BOTH,
    ],
    ['no key of the front door', { headers: { 'x-viewer-ip': VIEWER }, apiKeyId: null }, BOTH],
    ['an empty key', { headers: { 'x-viewer-ip': VIEWER }, apiKeyId: '' }, BOTH],
    ['no front door', { headers: { 'x-viewer-ip': VIEWER } }, NO_FRONT_DOOR],
  ])("API Gateway's address with %s", async (_name, options, callers) => {
    expect(await countedFor(options, callers)).toEqual([EDGE]);
  });

  it('an address that is none by its text', async () => {
    expect(await countedFor({ sourceIp: 'test-invoke-source-ip' })).toEqual([
      'test-invoke-source-ip',
    ]);
  });

  it.each([BOTH, NO_FRONT_DOOR])('no partner, who has another key: %j', async (callers) => {
    expect(
      await countedFor({ headers: { 'x-viewer-ip': VIEWER }, apiKeyId: 'partner-key' }, callers),
    ).toHaveLength(0);
  });
});

const GATEWAY = '/dev/api/markets';
it.each([
  ['the front door', BOTH, 'successor-key', '/api/markets'],
  ['API Gateway with a partner key', BOTH, 'partner-key', GATEWAY],
  ['API Gateway without a key', BOTH, null, GATEWAY],
  ['API Gateway where there is no front door', NO_FRONT_DOOR, PUBLIC_KEY_ID, GATEWAY],
])('links have the path that a caller of %s used', async (_name, callers, apiKeyId, expected) => {
  expect((await callerOf({ apiKeyId }, callers)).path).toBe(expected);
});
