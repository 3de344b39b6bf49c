import { expect, it } from '@jest/globals';
import { readProgramOptions } from '../src/program-options.ts';

it.each([
  [['--marktes', '5'], /Unknown option '--marktes'/],
  [['--markets', '0'], /--markets must be a whole number from 1 to 100000, not "0"\./],
  [['--markets', '1e3'], /--markets must be/],
  [['--port', '65536'], /--port must be a whole number from 0 to 65535/],
  [['--seed', '-1'], /--seed/],
  [['--v2-share', '1.5'], /--v2-share must be a number from 0 to 1, not "1.5"\./],
  [['--upstream-latency', 'slow'], /--upstream-latency must be none or realistic, not "slow"\./],
  [['--recordings', '/nowhere', '--markets', '5'], /leave them out with --recordings/],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => readProgramOptions(args)).toThrow(
    expect.objectContaining({ name: 'OptionError', message: expect.stringMatching(sentence) }),
  );
  expect(() => readProgramOptions(args)).not.toThrow(/\n/);
});

it('without any, the port is 4000 and the rest is the simulator’s', () => {
  expect(readProgramOptions([])).toEqual({ port: 4_000 });
});

it('are numbers and names', () => {
  const args = ['--port', '0', '--markets', '7', '--seed', '3', '--v2-share', '0.5', '--upstream-latency'];
  expect(readProgramOptions([...args, 'realistic'])).toEqual({
    port: 0,
    markets: 7,
    seed: 3,
    v2Share: 0.5,
    latency: 'realistic',
  });
  expect(readProgramOptions(['--help', '--port', '1'])).toBe('help');
});
