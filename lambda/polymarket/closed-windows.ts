import {
  CLOSED_WINDOW_KEPT_MS,
  CLOSED_WINDOW_NUMBERS_HELD,
  CLOSED_WINDOWS_HELD,
} from '../contract/constants.ts';
import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import type { LivePriceHistories } from '../endpoints/ports.ts';
import type { Clock } from '../platform/clock.ts';
import { LoadCache } from '../platform/load-cache.ts';

/**
 * Keeps the windows of a history that have ended, for hours: they never change. So a chart of three months costs one
 * call of upstream's, not six, from the second time on. Empty windows are not kept, since nobody can tell a market that
 * did not exist yet from an upstream that knew nothing for a moment.
 */
export class ClosedWindows implements LivePriceHistories {
  readonly #source: LivePriceHistories;
  /** Times and prices in turn: a fifth of what the points take as objects. */
  readonly #windows: LoadCache<Float64Array>;

  constructor(source: LivePriceHistories, clock: Clock) {
    this.#source = source;
    this.#windows = new LoadCache({
      clock,
      keptMs: CLOSED_WINDOW_KEPT_MS,
      maxEntries: CLOSED_WINDOWS_HELD,
      maxSize: CLOSED_WINDOW_NUMBERS_HELD,
      sizeOf: ({ length }) => (length === 0 ? CLOSED_WINDOW_NUMBERS_HELD + 1 : length),
    });
  }

  async points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]> {
    if (request.kind !== 'window' || request.newest) return this.#source.points(token, request, deadline);
    const { start, end, fidelity } = request;
    const { value } = await this.#windows.get(`${token} ${start} ${end} ${fidelity}`, async () =>
      packed(await this.#source.points(token, request, deadline)),
    );
    return unpacked(value);
  }
}

function packed(points: readonly PricePoint[]): Float64Array {
  const numbers = new Float64Array(points.length * 2);
  for (const [n, { t, p }] of points.entries()) numbers.set([t, p], n * 2);
  return numbers;
}

function unpacked(numbers: Float64Array): PricePoint[] {
  return Array.from({ length: numbers.length / 2 }, (_, n) => ({
    t: numbers[n * 2] ?? 0,
    p: numbers[n * 2 + 1] ?? 0,
  }));
}
