import { describe, expect, it, jest } from '@jest/globals';
import { SingleFlight } from '../../../../lambda/platform/single-flight.ts';

describe('a single flight', () => {
  it('is shared by all who ask for one key meanwhile, and by nobody after its end', async () => {
    const flights = new SingleFlight<number>();
    const load = jest.fn(async () => load.mock.calls.length);
    expect(await Promise.all([flights.run('a', load), flights.run('a', load)])).toEqual([1, 1]);
    expect(await flights.run('a', load)).toBe(2);
  });

  it('is one for each key', async () => {
    const flights = new SingleFlight<string>();
    const loads = ['a', 'b'].map((key) => flights.run(key, async () => key));
    expect(await Promise.all(loads)).toEqual(['a', 'b']);
  });

  it('fails for all who share it; the next one begins anew', async () => {
    const flights = new SingleFlight<string>();
    const fail = () => Promise.reject(new Error('down'));
    const ends = await Promise.allSettled([flights.run('a', fail), flights.run('a', fail)]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('a', async () => 'up')).toBe('up');
  });
});
