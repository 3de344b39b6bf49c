import type { PricePoint } from '../domain/change.ts';
import type { CallLimits } from '../http-client/client.ts';

/** The ways in which upstream gives price histories; the first that responds is taken. */
export const HISTORY_ROUTES = ['clob-batch', 'clob-single', 'data'] as const;
export type HistoryRouteName = (typeof HISTORY_ROUTES)[number];

/** What of a history is wanted: a named interval that ends now, or a stretch in Unix seconds, both ends included. */
export type HistorySpan =
  | { readonly kind: 'interval'; readonly interval: '1d' | '1w' | '1m'; readonly fidelity: number }
  | { readonly kind: 'window'; readonly start: number; readonly end: number; readonly fidelity: number };

/** Histories by token; a token that upstream does not know has an empty one. */
export type HistoriesByToken = ReadonlyMap<string, readonly PricePoint[]>;

export interface HistoryRoute {
  readonly name: HistoryRouteName;
  /** Most tokens of one call. */
  readonly tokensPerCall: number;
  /** @throws UpstreamError */
  read(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<HistoriesByToken>;
}
