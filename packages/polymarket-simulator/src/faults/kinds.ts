import { cursorToStart } from '../gamma/markets.ts';
import { html, json } from '../http/response.ts';
import type { RouteName } from '../routes.ts';
import { changeMarkets, nonsenseOf, spoilMarket, spoilMidpoint } from './changes.ts';
import type { FaultEffect } from './effect.ts';
import type { OptionReader } from './reader.ts';

interface FaultKind {
  readonly summary: string;
  /** Routes it can act on. @default all */
  readonly routes?: readonly RouteName[];
  readonly effect: (options: OptionReader) => FaultEffect;
}

const LISTS: readonly RouteName[] = ['markets', 'markets-keyset'];
const MOST_MS = 600_000;
const DAY_MS = 86_400_000;
const TITLES: Readonly<Record<number, string>> = {
  403: '403 Forbidden',
  429: '429 Too Many Requests',
  451: '451 Unavailable For Legal Reasons',
};

/** Every kind of fault, by name. An entry reads its own options; what it does not read is refused. */
export const FAULT_KINDS = {
  status: {
    summary:
      'responds with "status" (default 500), "body" (JSON, or a text for other "type"s), "type" json|html|text and "headers"',
    effect(options) {
      const status = options.whole('status', 200, 599) ?? 500;
      const type = options.choice('type', ['json', 'html', 'text']) ?? 'json';
      const fallback =
        type === 'json' ? { type: 'internal error', error: 'cannot get the information' } : 'error';
      return {
        instead: { status, type, body: options.value('body') ?? fallback, headers: options.texts('headers') },
      };
    },
  },
  slow: {
    summary: 'waits "ms" (default 2000) before the good response',
    effect: (options) => ({ delayMs: options.whole('ms', 0, MOST_MS) ?? 2_000 }),
  },
  hang: { summary: 'never responds', effect: () => ({ instead: 'hang' }) },
  reset: { summary: 'resets the connection before a response', effect: () => ({ instead: 'reset' }) },
  'reset-body': {
    summary: 'breaks the connection in the middle of the body',
    effect: () => ({ sending: 'reset-body' }),
  },
  truncate: { summary: 'a whole response whose JSON ends halfway', effect: () => ({ sending: 'truncate' }) },
  html: {
    summary: 'an HTML page with "status" (default 403)',
    effect(options) {
      const status = options.whole('status', 200, 599) ?? 403;
      return { instead: html(status, TITLES[status] ?? 'Just a moment...') };
    },
  },
  'error-200': {
    summary: 'status 200 with {"error": "message"} (default "Too Many Requests")',
    effect: (options) => ({ instead: json(200, { error: options.value('message') ?? 'Too Many Requests' }) }),
  },
  'loop-cursor': {
    summary: 'next_cursor leads back to page 1',
    routes: ['markets-keyset'],
    effect: () => ({
      change: (body, { query }) => ({ ...(body as object), next_cursor: cursorToStart(query) }),
    }),
  },
  duplicates: {
    summary: 'a page begins with a "share" (default 0.3) of the markets of the page before',
    routes: LISTS,
    effect(options) {
      const share = options.share('share') ?? 0.3;
      return {
        change: (body, { previousPage }) =>
          changeMarkets(body, (markets) => [
            ...previousPage.slice(previousPage.length - Math.round(previousPage.length * share)),
            ...markets,
          ]),
      };
    },
  },
  missing: {
    summary: 'a page lacks a "share" (default 0.3) of its markets',
    routes: LISTS,
    effect(options) {
      const share = options.share('share') ?? 0.3;
      return {
        change: (body, { draw }) =>
          changeMarkets(body, (markets) => markets.filter(() => !draw.chance(share))),
      };
    },
  },
  'broken-markets': {
    summary: 'a "share" (default 0.1) of the markets is broken: unparseable outcomes, no conditionId …',
    routes: LISTS,
    effect(options) {
      const share = options.share('share') ?? 0.1;
      return {
        change: (body, { draw }) =>
          changeMarkets(body, (markets) =>
            markets.map((market) => (draw.chance(share) ? spoilMarket(market, draw) : market)),
          ),
      };
    },
  },
  nonsense: {
    summary: 'values of wrong types; "variant": values (default), not-array, null or empty',
    effect(options) {
      const variant = options.choice('variant', ['values', 'not-array', 'null', 'empty']) ?? 'values';
      return { change: (body) => nonsenseOf(body, variant) };
    },
  },
  'midpoints-missing': {
    summary: 'a "share" (default 0.5) of the midpoints is missing',
    routes: ['midpoints'],
    effect(options) {
      const share = options.share('share') ?? 0.5;
      return {
        change: (body, { draw }) =>
          Object.fromEntries(Object.entries(body as object).filter(() => !draw.chance(share))),
      };
    },
  },
  'midpoints-invalid': {
    summary: 'a "share" (default 1) of the midpoints is out of 0..1, not a number, or not a string',
    routes: ['midpoints'],
    effect(options) {
      const share = options.share('share') ?? 1;
      return {
        change: (body, { draw }) =>
          Object.fromEntries(
            Object.entries(body as object).map(([token, mid]) => [
              token,
              draw.chance(share) ? spoilMidpoint(draw) : mid,
            ]),
          ),
      };
    },
  },
  'stale-page': {
    summary: 'a list that lay in the shared cache for "age" seconds (default 299)',
    routes: LISTS,
    effect: (options) => ({ ageSeconds: options.whole('age', 0, 86_400) ?? 299 }),
  },
  'date-skew': {
    summary: 'the Date header is off by "ms" (default 60000)',
    effect: (options) => ({ dateSkewMs: options.whole('ms', -DAY_MS, DAY_MS) ?? 60_000 }),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultKindName = keyof typeof FAULT_KINDS;

/** The kind of that name, or undefined. */
export function faultKind(name: string): FaultKind | undefined {
  return Object.hasOwn(FAULT_KINDS, name) ? FAULT_KINDS[name as FaultKindName] : undefined;
}
