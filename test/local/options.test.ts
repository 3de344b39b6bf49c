/** `readOptions` reads the arguments of `npm start`, which starts the local server. */
import { describe, expect, it } from '@jest/globals';
import { HELP, readOptions } from '../../local/options.ts';

const TWO_UPSTREAMS = ['--gamma-url', 'http://a/', '--clob-url', 'http://b'];

describe('readOptions', () => {
  it('has defaults for everything', () => {
    expect(readOptions([])).toEqual({
      port: 3_000,
      host: '127.0.0.1',
      refreshEverySeconds: 120,
      rateLimit: 60,
      verbose: false,
      upstream: { simulator: { latency: 'none' } },
    });
  });

  it('reads all options, with a simulated upstream', () => {
    const args =
      '--markets 50 --seed 0 --v2-share 0.5 --upstream-latency realistic ' +
      '--host=::1 --port=0 --refresh-every=5 --rate-limit=off --verbose';
    expect(readOptions(args.split(' '))).toEqual({
      port: 0,
      host: '::1',
      refreshEverySeconds: 5,
      rateLimit: 'off',
      verbose: true,
      upstream: { simulator: { markets: 50, seed: 0, v2Share: 0.5, latency: 'realistic' } },
    });
  });

  it('reads other upstreams', () => {
    expect(readOptions(['--upstream', 'live'])).toMatchObject({
      upstream: {
        gammaUrl: 'https://gamma-api.polymarket.com',
        clobUrl: 'https://clob.polymarket.com',
      },
    });
    // The Data API is at CLOB's address unless its own is set.
    expect(readOptions(TWO_UPSTREAMS)).toMatchObject({
      upstream: { gammaUrl: 'http://a', clobUrl: 'http://b', dataUrl: 'http://b' },
    });
    expect(readOptions([...TWO_UPSTREAMS, '--data-url', 'http://c'])).toMatchObject({
      upstream: { dataUrl: 'http://c' },
    });
  });

  it('describes each option', () => {
    expect(readOptions(['--help'])).toBe('help');
    for (const name of ['port', 'rate-limit', 'seed', 'data-url'])
      expect(HELP).toContain(`--${name} `);
  });

  it.each([
    [['--prot', '1'], "Unknown option '--prot'. --help lists the options."],
    [
      ['3000'],
      `Unexpected argument '3000'. npm passes on only what follows "--": npm start -- --port 3201.`,
    ],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536".'],
    [['--refresh-every', '0'], '--refresh-every must be a whole number from 1 to 86400, not "0".'],
    [['--port', '-1'], "Option '--port' argument is ambiguous"],
    [['--host', 'localhost'], '--host must be an IP address such as 0.0.0.0, not "localhost".'],
    [
      ['--rate-limit', 'none'],
      '--rate-limit must be a whole number from 1 to 1000000, not "none".',
    ],
    [['--v2-share', '1.1'], '--v2-share must be a number from 0 to 1, not "1.1".'],
    [['--upstream-latency', 'slow'], '--upstream-latency must be none or realistic, not "slow".'],
    [['--upstream', 'live', '--seed', '2'], '--seed cannot be combined with --upstream live.'],
    [
      [...TWO_UPSTREAMS, '--upstream', 'live'],
      '--upstream cannot be combined with --gamma-url and --clob-url.',
    ],
    [['--gamma-url', 'http://a'], '--clob-url must be an http or https URL, not "".'],
    [
      ['--gamma-url', 'ftp://a', '--clob-url', 'http://b'],
      '--gamma-url must be an http or https URL, not "ftp://a".',
    ],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
