import { createHmac } from 'node:crypto';

/** Cursors in the Data API's own form: `{"data":{"type","params"},"sig"}` in base64url; the signature covers the query. */
export interface DataCursor {
  /** The limit of the first page. */
  readonly l: number;
  /** Timestamp of the last point served. */
  readonly ts: number;
  /** Resolution of that point, seconds. */
  readonly sq: string;
  /** Points served so far. */
  readonly d: number;
}

const SECRET = 'simulated data api';

export function encodeDataCursor(params: DataCursor, query: string): string {
  const data = { type: 'prices_history', params };
  return Buffer.from(JSON.stringify({ data, sig: sign(params, query) })).toString('base64url');
}

/** undefined for a cursor that was not made here, or for another query. */
export function decodeDataCursor(cursor: string, query: string): DataCursor | undefined {
  try {
    const { data, sig } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as {
      readonly data: { readonly params: DataCursor };
      readonly sig: string;
    };
    return sig === sign(data.params, query) ? data.params : undefined;
  } catch {
    return undefined;
  }
}

function sign(params: DataCursor, query: string): string {
  return createHmac('sha256', SECRET)
    .update(`${JSON.stringify(params)} ${query}`)
    .digest('hex')
    .slice(0, 32);
}
