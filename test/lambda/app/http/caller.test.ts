import { describe, expect, it } from '@jest/globals';
import { callerOf, originOf, pathOf } from '../../../../lambda/app/http/caller.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';

const WITH_FRONT_DOOR = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID, 'successor-key'] };
const WITHOUT_FRONT_DOOR = { frontDoor: false, publicKeyIds: [PUBLIC_KEY_ID] };
const EDGE = '203.0.113.7';
const VIEWER = '198.51.100.10';

const caller = (options: EventOptions, rules = WITH_FRONT_DOOR) =>
  callerOf(apiEvent({ sourceIp: EDGE, ...options }), rules);
const anonymous = (address: string) => ({ kind: 'anonymous', address });

describe('the address of a caller', () => {
  it.each([
    ['198.51.100.10', '198.51.100.10'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s by %s', (text, address) => {
    expect(caller({ sourceIp: text, apiKeyId: null })).toEqual(anonymous(address));
    expect(caller({ headers: { 'x-viewer-ip': text } })).toEqual(anonymous(address));
  });

  const MALFORMED = ['256.1.1.1', '1.2.3', '0x7f.0.0.1', '010.1.1.1', '1.2.3.4:443', '1.2.3.4, 5.6.7.8', 'unknown'];
  it.each([...MALFORMED, '', '[2001:db8::1]', '2001:db8::1::2', '2001:db8::/64'])('is not %j', (text) => {
    expect(caller({ headers: { 'x-viewer-ip': text } })).toEqual(anonymous(EDGE));
  });
});

describe('a caller behind the front door', () => {
  it.each([
    [{ 'X-Viewer-Ip': VIEWER }, PUBLIC_KEY_ID, VIEWER],
    [{ 'x-viewer-ip': VIEWER }, 'successor-key', VIEWER],
  ])('is counted by the header: %j with %s', (headers, apiKeyId, address) => {
    expect(caller({ headers, apiKeyId })).toEqual(anonymous(address));
  });

  it.each<[string, NonNullable<EventOptions['headers']>]>([
    ['no x-viewer-ip', {}],
    ['two values', { 'x-viewer-ip': [VIEWER, '198.51.100.11'] }],
    ['two spellings of the name', { 'x-viewer-ip': VIEWER, 'X-Viewer-Ip': '198.51.100.11' }],
    ['forwarding headers only', { 'X-Forwarded-For': VIEWER, Forwarded: `for=${VIEWER}`, 'X-Real-IP': VIEWER }],
    ['the header of CloudFront or of another CDN', { 'CloudFront-Viewer-Address': VIEWER, 'CF-Connecting-IP': VIEWER }],
  ])('is counted by the address that API Gateway reports, with %s', (_name, headers) => {
    expect(caller({ headers })).toEqual(anonymous(EDGE));
  });
});

describe('a caller of API Gateway itself', () => {
  const forged = { headers: { 'x-viewer-ip': VIEWER } };

  it('cannot forge x-viewer-ip without the key of the front door, nor where there is no front door', () => {
    expect(caller({ ...forged, apiKeyId: null })).toEqual(anonymous(EDGE));
    expect(caller({ ...forged, apiKeyId: '' })).toEqual(anonymous(EDGE));
    expect(caller(forged, WITHOUT_FRONT_DOOR)).toEqual(anonymous(EDGE));
  });

  it('is counted by the text itself when it is no address', () => {
    expect(caller({ sourceIp: 'test-invoke-source-ip' })).toEqual(anonymous('test-invoke-source-ip'));
  });

  it.each([WITH_FRONT_DOOR, WITHOUT_FRONT_DOOR])('is a partner with any other key: %j', (rules) => {
    expect(caller({ ...forged, apiKeyId: 'partner-key' }, rules)).toEqual({ kind: 'partner' });
  });
});

it.each([
  ['the front door', WITH_FRONT_DOOR, 'successor-key', '/api/markets'],
  ['API Gateway with a partner key', WITH_FRONT_DOOR, 'partner-key', '/dev/api/markets'],
  ['API Gateway without a key', WITH_FRONT_DOOR, null, '/dev/api/markets'],
  ['API Gateway where there is no front door', WITHOUT_FRONT_DOOR, PUBLIC_KEY_ID, '/dev/api/markets'],
])('pathOf is the path as a caller of %s wrote it', (_name, rules, apiKeyId, path) => {
  expect(pathOf(apiEvent({ apiKeyId }), rules)).toBe(path);
});

it.each([
  ['the front door', WITH_FRONT_DOOR, 'successor-key', 'https://prices.example'],
  ['API Gateway with a partner key', WITH_FRONT_DOOR, 'partner-key', 'https://id.execute-api.example'],
  ['API Gateway where there is no front door', WITHOUT_FRONT_DOOR, PUBLIC_KEY_ID, 'https://id.execute-api.example'],
])('originOf is the address that a caller of %s used', (_name, rules, apiKeyId, origin) => {
  expect(originOf(apiEvent({ apiKeyId, headers: { 'x-viewer-origin': 'https://prices.example' } }), rules)).toBe(
    origin,
  );
});
