import { describe, expect, it } from '@jest/globals';
import { stalenessWarning } from '../../../local/console/introduction.ts';
import { readOptions } from '../../../local/options.ts';

describe('npm start --', () => {
  it.each([
    ['', { port: 3000, upstream: { kind: 'simulated', latency: 'none' }, verbose: false }],
    [
      '--port 0 --markets 300 --seed 7 --v2-share 0.5',
      { port: 0, upstream: { kind: 'simulated', markets: 300, seed: 7, v2Share: 0.5 } },
    ],
    [
      '--upstream simulated --upstream-latency realistic',
      { upstream: { kind: 'simulated', latency: 'realistic' } },
    ],
    ['--upstream live', { upstream: { kind: 'live' } }],
    ['--recordings ../r', { upstream: { kind: 'recorded', recordings: '../r' } }],
    [
      '--gamma-url http://a/ --clob-url https://b:1/x',
      {
        upstream: { kind: 'given', gammaUrl: 'http://a', clobUrl: 'https://b:1/x', dataUrl: 'https://b:1/x' },
      },
    ],
    [
      '--gamma-url http://a --clob-url http://b --data-url http://c/',
      { upstream: { kind: 'given', gammaUrl: 'http://a', clobUrl: 'http://b', dataUrl: 'http://c' } },
    ],
    [
      '--refresh-every=30 --rate-limit off --stage prod',
      { refreshEverySeconds: 30, rateLimit: 'off', stage: 'prod' },
    ],
    ['--rate-limit 5 --verbose', { rateLimit: '5', verbose: true, chaos: false }],
    ['--chaos', { chaos: true, refreshEverySeconds: 6 }],
    ['-c edge=false -c refreshMinutes=5', { context: { edge: 'false', refreshMinutes: '5' } }],
    ['-c edge=false -c edge=true', { context: { edge: 'true' } }],
    ['--context alarmEmail=a@b.c', { context: { alarmEmail: 'a@b.c' } }],
    ['-c stage=prod', { stage: 'prod', context: {} }],
    [
      '-c gammaUrl=http://a -c clobUrl=http://b',
      { upstream: { kind: 'given', gammaUrl: 'http://a', clobUrl: 'http://b' }, context: {} },
    ],
    ['--chaos --refresh-every 20 --recordings r', { chaos: true, refreshEverySeconds: 20 }],
  ])('%s', (line, options) => {
    expect(readOptions(line.split(' ').filter(Boolean))).toMatchObject(options);
  });

  it('--help', () => {
    expect(readOptions(['--help'])).toBe('help');
  });

  it.each([
    ['--nope', "Unknown option '--nope'; npm start -- --help lists the options."],
    ['3000', "Unexpected argument '3000'; npm start -- --help lists the options."],
    ['--port', '--port needs a value; npm start -- --help lists the options.'],
    ['--port -1', '--port needs a value; npm start -- --help lists the options.'],
    ['--port 65536', '--port must be a whole number from 0 to 65535, not "65536".'],
    ['--markets 0', '--markets must be a whole number from 1 to 100000, not "0".'],
    ['--refresh-every 1.5', '--refresh-every must be a whole number from 1 to 86400, not "1.5".'],
    ['--rate-limit none', '--rate-limit must be a whole number from 1 to 1000000, not "none".'],
    ['--upstream fake', '--upstream must be simulated or live, not "fake".'],
    ['--upstream-latency slow', '--upstream-latency must be none or realistic, not "slow".'],
    [
      '--data-url http://a',
      '--data-url goes with --gamma-url and --clob-url: give all three, or leave it out.',
    ],
    ['--gamma-url http://a', '--gamma-url and --clob-url go together: give both or neither.'],
    ['--gamma-url a --clob-url http://b', '--gamma-url must be an http or https URL, not "a".'],
    ['--upstream live --markets 3', '--markets and --upstream live contradict each other: leave one out.'],
    ['--upstream live --chaos', '--chaos and --upstream live contradict each other: leave one out.'],
    [
      '--chaos --gamma-url http://a --clob-url http://b',
      '--chaos and --gamma-url and --clob-url contradict each other: leave one out.',
    ],
    ['-c edge', '-c must be key=value, not "edge".'],
    ['-c =x', '-c must be key=value, not "=x".'],
    ['--stage dev -c stage=prod', '--stage and -c stage are the same: leave one out.'],
    ['--recordings r --seed 3', '--seed and --recordings contradict each other: leave one out.'],
    ['--recordings r --v2-share 1', '--v2-share and --recordings contradict each other: leave one out.'],
    ['--v2-share 2', '--v2-share must be a number from 0 to 1, not "2".'],
    [
      '--upstream live --gamma-url http://a --clob-url http://b',
      '--upstream and --gamma-url and --clob-url contradict each other: leave one out.',
    ],
  ])('%s is refused with one sentence', (line, sentence) => {
    expect(() => readOptions(line.split(' '))).toThrow(
      expect.objectContaining({ name: 'StartError', message: sentence, exitCode: 2 }),
    );
  });
});

it('runs too far apart for fresh data are warned of', () => {
  expect(stalenessWarning(undefined, 120)).toBeUndefined();
  expect(stalenessWarning(150, 120)).toBeUndefined();
  expect(stalenessWarning(151, 120)).toContain('after 150 s the markets are 502');
  expect(stalenessWarning(600, 600)).toBeUndefined();
});
