/**
 * Sparks: the small lines of the last week's prices beside the rows of a list. All lists of the
 * page share them. `readSparks` gathers the tokens of rows in view, and few requests read their
 * lines.
 */
import type { Point } from '../charts/layout.ts';
import { useEvents } from './browser.ts';
import { client, requestsLeft } from './service.ts';

/** The API's limit of tokens in one request. */
const MAX_SPARKS = 20;
/** The page leaves this many requests of the limit for what the reader opens. */
const MIN_REQUESTS_LEFT = 20;
/** A line is read again after ten minutes. */
const TTL_MS = 10 * 60_000;
/** The page gathers tokens for this time, so that one request reads the lines of a screen. */
const GATHER_MS = 600;
/** Minutes between points. A week has 56, and a line is 72 pixels wide. */
const FIDELITY = 180;

/** The points of a token's line; undefined while they are unknown. */
type SparkPoints = readonly Point[] | undefined;

/** The line of each token, and when it was requested in Unix ms. */
const known = new Map<string, { readonly points: SparkPoints; readonly at: number }>();
/** The tokens of the next requests. */
const waiting = new Set<string>();
const changes = new EventTarget();
let timer: ReturnType<typeof setTimeout>;
/** Grows with each response, so that the rows are rendered again. */
let version = 0;

/** Requests the lines of tokens that are unknown or old, together with those of the next moment. */
export function readSparks(tokens: readonly string[]): void {
  const oldest = Date.now() - TTL_MS;
  const missing = tokens.filter((token) => (known.get(token)?.at ?? 0) <= oldest);
  if (missing.length === 0) return;
  for (const token of missing) waiting.add(token);
  clearTimeout(timer);
  timer = setTimeout(() => void readWaiting(), GATHER_MS);
}

/** Reads the lines of all waiting tokens, one request after the other. */
async function readWaiting(): Promise<void> {
  while (waiting.size > 0) {
    // When the rows come into view again, the page adds their tokens again.
    if (document.hidden || requestsLeft() < MIN_REQUESTS_LEFT) return waiting.clear();
    const tokens = [...waiting].slice(0, MAX_SPARKS);
    for (const token of tokens) waiting.delete(token);
    try {
      await readLines(tokens);
    } catch {
      // A line is an ornament, so nothing is reported. The next look at the rows reads it again.
      for (const token of tokens) known.delete(token);
      return;
    }
  }
}

/** Reads the lines of tokens with one request. Old lines stay until the response. */
async function readLines(tokens: readonly string[]): Promise<void> {
  // The new time prevents a second request for the same tokens.
  for (const token of tokens) remember(token, known.get(token)?.points);
  const { data } = await client.priceHistories(tokens, { interval: '1w', fidelity: FIDELITY });
  for (const token of tokens) remember(token, data[token]?.history);
  version++;
  changes.dispatchEvent(new Event('change'));
}

function remember(token: string, points: SparkPoints): void {
  known.set(token, { points, at: Date.now() });
}

/** The known lines by token, updated with each response. */
export function useSparks(): (token: string) => SparkPoints {
  useEvents(changes, ['change'], () => version);
  return (token) => known.get(token)?.points;
}
