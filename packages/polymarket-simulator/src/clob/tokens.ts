import { json, type SimulatedResponse } from '../http/response.ts';

/** The tokens of a body `[{"token_id":"…"}]`, or the refusal of a body of another form or with too many. */
export function tokensOf(
  body: unknown,
  cap: number,
): { readonly list: readonly string[] } | SimulatedResponse {
  if (!Array.isArray(body)) return json(400, { error: 'Invalid payload' });
  if (body.length > cap) return json(400, { error: 'Payload exceeds the limit' });
  const list: string[] = [];
  for (const entry of body as readonly unknown[]) {
    if (typeof entry !== 'object' || entry === null || !('token_id' in entry)) {
      return json(400, { error: 'Invalid payload' });
    }
    // An id of another type is like any unknown token: missing from the response.
    if (typeof entry.token_id === 'string') list.push(entry.token_id);
  }
  return { list };
}
