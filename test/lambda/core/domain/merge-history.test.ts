// `mergeHistory` joins the points that several calls to upstream returned to one price history. It
// keeps the latest point of each step, and puts a payout last: the value of a token after its
// market was resolved.
//
// The tests write points as texts: `60:0.1 150:1!` is a price of 0.1 after 60 s, and a payout of 1
// after 150 s.

import { describe, expect, it } from '@jest/globals';
import { mergeHistory } from '../../../../lambda/core/domain/merge-history.ts';
import type { PricePoint } from '../../../../lambda/core/domain/price-history.ts';

/** The points that a text describes. */
function points(text: string): PricePoint[] {
  const found = text.matchAll(/(\S+):([\d.]+)(!?)/g);
  return Array.from(found, ([, t, p, payout]) => {
    const point = { t: Number(t), p: Number(p) };
    return payout ? { ...point, payout: true } : point;
  });
}

/** What the caller requested: steps of so many minutes, between start and end, in seconds. */
const request = ({ stepMinutes = 1, start = 0, end = 100_000 }) => ({
  fidelity: stepMinutes,
  start,
  end,
  spans: [],
});

describe('the history from one call', () => {
  /** The merged points of a call that returned the points of this text. */
  function merged(text: string, options: Parameters<typeof request>[0] = {}) {
    const span = { kind: 'interval', interval: '1d', fidelity: 1 } as const;
    return mergeHistory(request(options), [{ span, points: points(text) }]);
  }

  it("ascends, with upstream's times", () => {
    expect(merged('183:0.3 65:0.1 123:0.2')).toEqual(points('65:0.1 123:0.2 183:0.3'));
  });

  it('has the latest point of each step', () => {
    // Steps of 5 minutes begin at 300 s and at 600 s.
    const read = '300:0.1 420:0.2 599:0.3 600:0.4';
    expect(merged(read, { stepMinutes: 5 })).toEqual(points('599:0.3 600:0.4'));
  });

  it('has the later one of two points of one time', () => {
    expect(merged('65:0.1 65:0.2')).toEqual(points('65:0.2'));
  });

  it('includes its start and its end', () => {
    const read = '119:0.1 120:0.2 240:0.3 241:0.4';
    expect(merged(read, { start: 120, end: 240 })).toEqual(points('120:0.2 240:0.3'));
  });

  it('has the latest point before its end', () => {
    const read = '310:0.1 390:0.2 410:0.3';
    expect(merged(read, { stepMinutes: 5, end: 400 })).toEqual(points('390:0.2'));
  });

  it("has the payout at upstream's time, beside a price of the same step", () => {
    const read = '60:0.1 125:0.2 150:1!';
    expect(merged(read)).toEqual(points(read));
  });

  it('has the payout a second after the last price', () => {
    expect(merged('60:0.1 150:0.2 150:1!')).toEqual(points('60:0.1 150:0.2 151:1!'));
    // Steps of 720 minutes begin at 0 s and at 43,200 s.
    const read = '0:0.3 43200:0.6 61200:0.92 43201:1!';
    const series = points('0:0.3 61200:0.92 61201:1!');
    expect(merged(read, { stepMinutes: 720 })).toEqual(series);
  });

  it('has a payout only between its start and its end', () => {
    expect(merged('60:0.1 150:1!', { end: 150 })).toEqual(points('60:0.1 150:1!'));
    expect(merged('60:0.1 150:0.2 150:1!', { end: 150 })).toEqual(points('60:0.1 150:0.2'));
    expect(merged('60:0.1 150:1!', { start: 160 })).toEqual([]);
  });

  it('is the payout alone if there is no price', () => {
    const options = { stepMinutes: 60, start: 130, end: 300 };
    expect(merged('150:0.5!', options)).toEqual(points('150:0.5!'));
  });
});

describe('the history from two calls', () => {
  /** The merged points of a call for the seconds 120 to 239, and of one for 240 to 600. */
  function merged(older: string, newer: string) {
    const window = { kind: 'window', fidelity: 1 } as const;
    return mergeHistory(request({ start: 120, end: 660 }), [
      { span: { ...window, start: 120, end: 239 }, points: points(older) },
      { span: { ...window, start: 240, end: 600 }, points: points(newer) },
    ]);
  }

  it('has each point from the call whose seconds it lies in', () => {
    // The last call may return later points than it was made for, until the end of the request.
    const found = merged('60:0.1 180:0.2 300:0.9', '180:0.8 240:0.3 660:0.4 661:0.5');
    expect(found).toEqual(points('180:0.2 240:0.3 660:0.4'));
  });

  it('has only the newest payout', () => {
    const found = merged('120:0.1 180:1!', '240:0.3 300:0!');
    expect(found).toEqual(points('120:0.1 240:0.3 300:0!'));
  });

  it('has the payout of the older call if the newer one has no points', () => {
    expect(merged('120:0.1 180:1!', '')).toEqual(points('120:0.1 180:1!'));
  });
});
