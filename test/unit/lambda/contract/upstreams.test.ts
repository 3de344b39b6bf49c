import { describe, expect, it } from '@jest/globals';
import {
  isSimulated,
  perUpstream,
  perUrlSetting,
  perUrlVariable,
  UPSTREAMS,
} from '../../../../lambda/contract/upstreams.ts';

describe('an upstream', () => {
  it.each(Object.values(UPSTREAMS).map(({ url }) => url))('at %s is the real one', (url) => {
    expect(isSimulated(url)).toBe(false);
  });

  it.each([
    'http://127.0.0.1:4001',
    'http://127.1:4001/',
    'http://localhost:4001/clob',
    'http://clob.localhost',
    'http://[::1]:4001',
  ])('at %s is simulated', (url) => {
    expect(isSimulated(url)).toBe(true);
  });

  it.each(['https://127.0.0.1.example.com', 'https://localhost.example.com', 'https://10.0.0.1'])(
    'at %s is another machine, whatever it is called',
    (url) => {
      expect(isSimulated(url)).toBe(false);
    },
  );
});

it('something for each upstream is found by its name, its variable and its setting', () => {
  const urlOf = (name: keyof typeof UPSTREAMS) => UPSTREAMS[name].url;
  for (const row of Object.values(UPSTREAMS)) {
    expect(perUrlVariable(urlOf)[row.variable]).toBe(row.url);
    expect(perUrlSetting(urlOf)[row.setting]).toBe(row.url);
  }
  expect(perUpstream(urlOf).data).toBe(UPSTREAMS.data.url);
});
