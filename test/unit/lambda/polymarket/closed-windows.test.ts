import { describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../../lambda/domain/change.ts';
import type { HistoryRequest } from '../../../../lambda/domain/history-requests.ts';
import { ClosedWindows } from '../../../../lambda/polymarket/closed-windows.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const CLOSED: HistoryRequest = { kind: 'window', start: 100, end: 200, newest: false, fidelity: 10 };
const POINTS = [
  { t: 100, p: 0.25 },
  { t: 160, p: 0.0001 },
];

function rig(points: readonly PricePoint[] = POINTS) {
  const clock = new ManualClock();
  const calls: string[] = [];
  const windows = new ClosedWindows(
    {
      points: async (token) => {
        calls.push(token);
        return points;
      },
    },
    clock,
  );
  return { clock, calls, read: (token: string, request = CLOSED) => windows.points(token, request, 0) };
}

describe('a window of a history', () => {
  it('that has ended is asked for once in six hours, for each token and fidelity', async () => {
    const { clock, calls, read } = rig();
    expect(await read('7')).toEqual(POINTS);
    expect(await read('7')).toEqual(POINTS);
    expect(calls).toEqual(['7']);
    await read('8');
    await read('7', { ...CLOSED, fidelity: 20 });
    expect(calls).toEqual(['7', '8', '7']);
    await clock.advance(6 * 3_600_000 - 1);
    await read('7');
    expect(calls).toHaveLength(3);
    await clock.advance(2);
    await read('7');
    expect(calls).toHaveLength(4);
  });

  it('is another one where it begins or ends at another time', async () => {
    const { calls, read } = rig();
    for (const request of [CLOSED, { ...CLOSED, start: 101 }, { ...CLOSED, end: 201 }])
      await read('7', request);
    expect(calls).toHaveLength(3);
  });

  it('that ends now is asked for each time, and so is an interval', async () => {
    const { calls, read } = rig();
    const requests = [
      { ...CLOSED, newest: true },
      { kind: 'interval', interval: '1d', fidelity: 5 },
    ] as const;
    for (const request of [...requests, ...requests]) await read('7', request);
    expect(calls).toHaveLength(4);
  });

  it('that is empty is not kept', async () => {
    const { calls, read } = rig([]);
    expect(await read('7')).toEqual([]);
    await read('7');
    expect(calls).toHaveLength(2);
  });
});
