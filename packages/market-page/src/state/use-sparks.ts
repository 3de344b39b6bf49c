import { useState } from 'preact/hooks';
import type { Point } from '../charts/price-chart.ts';
import { client, requestsLeft } from './service.ts';

/** Lines of one request. */
const MAX_SPARKS = 20;
/** Fewer remaining requests are for what the reader asks for. */
const MIN_REQUESTS_LEFT = 20;
const KEPT_MS = 10 * 60_000;
/** Minutes between two points: a line is 72 pixels wide. */
const FIDELITY = 180;

/** The prices of the last seven days by token, and when they were asked for. They are kept across lists. */
const known = new Map<string, { points: readonly Point[] | undefined; readonly at: number }>();

/** The lines by token, and a function that reads the missing ones: 20 tokens in one request. */
export function useSparks(): {
  readonly sparkOf: (token: string) => readonly Point[] | undefined;
  readonly readSparks: (tokens: readonly string[]) => void;
} {
  const [, render] = useState(0);
  const read = async (tokens: readonly string[]) => {
    const oldest = Date.now() - KEPT_MS;
    const missing = tokens.filter((token) => (known.get(token)?.at ?? 0) <= oldest);
    for (let n = 0; n < missing.length && requestsLeft() >= MIN_REQUESTS_LEFT; n += MAX_SPARKS) {
      const some = missing.slice(n, n + MAX_SPARKS);
      for (const token of some) known.set(token, { points: known.get(token)?.points, at: Date.now() });
      try {
        const { data } = await client.priceHistories(some, { interval: '1w', fidelity: FIDELITY });
        for (const token of some) known.set(token, { points: data[token]?.history, at: Date.now() });
        render((count) => count + 1);
      } catch {
        // The lines are an ornament: without them the page is complete. The next look reads them again.
        for (const token of some) known.delete(token);
        return;
      }
    }
  };
  return { sparkOf: (token) => known.get(token)?.points, readSparks: (tokens) => void read(tokens) };
}
