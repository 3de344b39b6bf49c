// The lines of the last week beside the rows of a list. All rows share them.

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

type Line = readonly Point[] | undefined;

/** The line of each token, and when it was requested in Unix ms. */
const known = new Map<string, { readonly points: Line; readonly at: number }>();
/** The tokens of the next requests. */
const waiting = new Set<string>();
const changes = new EventTarget();
let timer: ReturnType<typeof setTimeout>;
/** Grows with each response, so that the rows are rendered again. */
let version = 0;

/** Reads the lines of all waiting tokens, one request after the other. */
async function readWaiting(): Promise<void> {
  const tokens = [...waiting].slice(0, MAX_SPARKS);
  // The next look at the rows adds the tokens again.
  if (tokens.length === 0 || document.hidden || requestsLeft() < MIN_REQUESTS_LEFT)
    return waiting.clear();
  const note = (lineOf: (token: string) => Line) => {
    for (const token of tokens) known.set(token, { points: lineOf(token), at: Date.now() });
  };
  // Old lines stay until the response. Their new time prevents a second request.
  note((token) => known.get(token)?.points);
  for (const token of tokens) waiting.delete(token);
  try {
    const { data } = await client.priceHistories(tokens, { interval: '1w', fidelity: FIDELITY });
    note((token) => data[token]?.history);
    version++;
    changes.dispatchEvent(new Event('change'));
    await readWaiting();
  } catch {
    // The lines are an ornament. The next look reads them again.
    for (const token of tokens) known.delete(token);
  }
}

/** Requests the lines of tokens that are unknown or old, together with those of the next moment. */
export function readSparks(tokens: readonly string[]): void {
  const oldest = Date.now() - TTL_MS;
  const missing = tokens.filter((token) => (known.get(token)?.at ?? 0) <= oldest);
  if (missing.length === 0) return;
  for (const token of missing) waiting.add(token);
  clearTimeout(timer);
  timer = setTimeout(() => void readWaiting(), GATHER_MS);
}

/** The known lines by token, updated with each response. */
export function useSparks(): (token: string) => Line {
  useEvents(changes, ['change'], () => version);
  return (token) => known.get(token)?.points;
}
