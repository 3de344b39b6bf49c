import { json, type SimulatedResponse } from '../http/response.ts';
import type { Instrument } from '../source.ts';
import type { State } from '../state.ts';

/** Most tokens of one call of the batch routes (documented for all, measured for `/books`). */
export const BATCH_CAP = 500;

/** The entries of a body `[{"token_id":"…"}]`, or the refusal of a body of another form or with too many. */
export function entriesOf(
  body: unknown,
  cap: number,
): { readonly list: readonly Readonly<Record<string, unknown>>[] } | SimulatedResponse {
  if (!Array.isArray(body)) return json(400, { error: 'Invalid payload' });
  if (body.length > cap) return json(400, { error: 'Payload exceeds the limit' });
  const list: Readonly<Record<string, unknown>>[] = [];
  for (const entry of body as readonly unknown[]) {
    if (typeof entry !== 'object' || entry === null || !('token_id' in entry)) {
      return json(400, { error: 'Invalid payload' });
    }
    list.push({ ...entry });
  }
  return { list };
}

/** The tokens of such a body. An id of another type is like any unknown token: missing from the response. */
export function tokensOf(
  body: unknown,
  cap: number,
): { readonly list: readonly string[] } | SimulatedResponse {
  const entries = entriesOf(body, cap);
  if ('status' in entries) return entries;
  const ids = entries.list.map((entry) => entry.token_id);
  return { list: ids.filter((id) => typeof id === 'string') };
}

/** The token's instrument where it has a book: resolved and unknown ones have none. */
export function trading(token: string, state: State): Instrument | undefined {
  const instrument = state.source.instrument(token);
  return instrument?.trading === true ? instrument : undefined;
}

export function existing(tokens: readonly string[], state: State): Instrument[] {
  return [...new Set(tokens)].flatMap((token) => trading(token, state) ?? []);
}
