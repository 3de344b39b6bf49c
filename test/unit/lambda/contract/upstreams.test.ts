import { describe, expect, it } from '@jest/globals';
import { isSimulated, UPSTREAMS } from '../../../../lambda/contract/upstreams.ts';

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
