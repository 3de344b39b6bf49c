import { describe, expect, it } from '@jest/globals';
import { callerOf, callerRules, pathOf } from '../../../../lambda/http/caller.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';

const EDGE = '130.176.0.1';
const RULES = { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID, 'successor-key'] };
const NO_FRONT_DOOR = { ...RULES, frontDoor: false };
const caller = (options: EventOptions) => callerOf(apiEvent({ sourceIp: EDGE, ...options }), RULES);
const anonymous = (address: string) => ({ kind: 'anonymous', client: expect.objectContaining({ address }) });
const viewer = (value: string | readonly string[], name = 'CloudFront-Viewer-Address') => ({
  headers: { [name]: value },
});

describe('through the front door', () => {
  it.each([
    ['IPv4', '198.51.100.10:46532', '198.51.100.10'],
    ['IPv6', '2001:db8:1:2:3:4:5:6:46532', '2001:db8:1:2::/64'],
    ['shortened IPv6', '2001:db8::1:443', '2001:db8:0:0::/64'],
    ['IPv4 in IPv6', '::ffff:198.51.100.10:443', '198.51.100.10'],
  ])('the caller is the viewer: %s', (_name, value, address) => {
    expect(caller(viewer(value))).toEqual(anonymous(address));
    expect(caller(viewer(value, 'cloudfront-viewer-address'))).toEqual(anonymous(address));
  });

  it.each<[string, string | readonly string[]]>([
    ['nothing', ''],
    ['no port', '198.51.100.10'],
    ['no address', ':443'],
    ['no colon at all', '443'],
    ['a port that is none', '198.51.100.10:http'],
    ['a port that is too long', '198.51.100.10:123456'],
    ['garbage', 'unknown:443'],
    ['a list', '198.51.100.10:1, 198.51.100.11:2'],
    ['brackets', '[2001:db8::1]:443'],
    ['a name', 'localhost:443'],
    ['two values', ['198.51.100.10:1', '198.51.100.11:2']],
  ])('a viewer address with %s is not believed', (_name, value) => {
    expect(caller(viewer(value))).toEqual(anonymous(EDGE));
  });

  it('two headers that differ in case only are not believed', () => {
    const headers = {
      'CloudFront-Viewer-Address': '198.51.100.10:1',
      'cloudfront-viewer-address': '198.51.100.11:2',
    };
    expect(caller({ headers })).toEqual(anonymous(EDGE));
  });

  it('what a caller writes into other headers means nothing', () => {
    const headers = {
      'X-Forwarded-For': '1.1.1.1',
      Forwarded: 'for=1.1.1.1',
      'X-Real-IP': '1.1.1.1',
      'True-Client-IP': '1.1.1.1',
      'CF-Connecting-IP': '1.1.1.1',
    };
    expect(caller({ headers })).toEqual(anonymous(EDGE));
    expect(caller({ headers: { ...headers, 'CloudFront-Viewer-Address': '198.51.100.10:1' } })).toEqual(
      anonymous('198.51.100.10'),
    );
  });
});

describe('around the front door', () => {
  it('a viewer address is not believed without a key', () => {
    const spoofed = { ...viewer('198.51.100.10:46532'), sourceIp: '203.0.113.7', apiKeyId: null };
    expect(caller(spoofed)).toEqual(anonymous('203.0.113.7'));
  });

  it('IPv6 is counted by its network', () => {
    expect(caller({ sourceIp: '2001:DB8::5', apiKeyId: null })).toEqual(anonymous('2001:db8:0:0::/64'));
  });

  it('what is no address is counted under its own name', () => {
    expect(caller({ sourceIp: 'test-invoke-source-ip', apiKeyId: null })).toEqual(
      anonymous('test-invoke-source-ip'),
    );
  });

  it('a key of their own makes a caller a partner, whatever else they send', () => {
    expect(caller({ ...viewer('198.51.100.10:46532'), apiKeyId: 'partner-key' })).toEqual({
      kind: 'partner',
    });
  });
});

describe('while the key is being replaced', () => {
  it('the viewer is known by the new key, too, and links are the front door’s', () => {
    const options = { ...viewer('198.51.100.10:46532'), apiKeyId: 'successor-key' };
    expect(caller(options)).toEqual(anonymous('198.51.100.10'));
    expect(pathOf(apiEvent(options), RULES)).toBe('/api/markets');
  });
});

describe('without a front door', () => {
  it('nobody chooses the address they are counted by: the public key is everybody’s', () => {
    const forged = { ...viewer('198.51.100.10:46532'), sourceIp: '203.0.113.7' };
    expect(callerOf(apiEvent(forged), NO_FRONT_DOOR)).toEqual(anonymous('203.0.113.7'));
  });

  it('links have the stage, as every caller writes it', () => {
    expect(pathOf(apiEvent(), NO_FRONT_DOOR)).toBe('/dev/api/markets');
  });

  it('a key of their own makes a caller a partner', () => {
    expect(callerOf(apiEvent({ apiKeyId: 'partner-key' }), NO_FRONT_DOOR)).toEqual({ kind: 'partner' });
  });
});

describe('the path for links', () => {
  it('is that of the front door for those who came through it', () => {
    expect(pathOf(apiEvent(), RULES)).toBe('/api/markets');
  });

  it('has the stage for those who called the API itself', () => {
    expect(pathOf(apiEvent({ apiKeyId: 'partner-key' }), RULES)).toBe('/dev/api/markets');
    expect(pathOf(apiEvent({ apiKeyId: null }), RULES)).toBe('/dev/api/markets');
  });
});

describe('the rules of a function', () => {
  it('are those of its environment', () => {
    expect(callerRules({ FRONT_DOOR: true, PUBLIC_API_KEY_IDS: ['a', 'b'] })).toEqual({
      frontDoor: true,
      publicKeyIds: ['a', 'b'],
    });
  });
});
