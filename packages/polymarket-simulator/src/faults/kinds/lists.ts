import { cursorToStart } from '../../gamma/listing.ts';
import { changeMarkets, spoilMarket, spoilText } from '../changes.ts';
import { type FaultKind, LISTS } from '../kind.ts';

/** Faults of the catalogue. */
export const LIST_FAULTS = {
  'loop-cursor': {
    summary: 'next_cursor leads back to page 1',
    routes: ['markets-keyset'],
    effect: () => ({
      change: (body, { query }) => ({ ...(body as object), next_cursor: cursorToStart('markets', query) }),
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
  'broken-texts': {
    summary:
      'questions of a "share" (default 0.1) of the markets are "form" long (default; "kb", default 7000), surrogate (half a character) or control',
    routes: LISTS,
    effect(options) {
      const share = options.share('share') ?? 0.1;
      const form = options.choice('form', ['long', 'surrogate', 'control']) ?? 'long';
      const kb = options.whole('kb', 1, 50_000) ?? 7_000;
      return {
        change: (body, { draw }) =>
          changeMarkets(body, (markets) =>
            markets.map((market) => (draw.chance(share) ? spoilText(market, form, kb) : market)),
          ),
      };
    },
  },
  'filters-ignored': {
    summary:
      'filters that do nothing: "names", a comma list of parameters, or * (default) for all, with what the server forces',
    routes: LISTS,
    effect(options) {
      const names = options.text('names') ?? '*';
      return { lists: { ignored: names.split(',') } };
    },
  },
  'other-bounds': {
    summary:
      'number and date bounds act otherwise: "exclusive" (default true) leaves out what lies on them, "keepUnknown" lets markets without the amount pass',
    routes: LISTS,
    effect(options) {
      const exclusive = options.flag('exclusive') ?? true;
      return { lists: { exclusive, keepUnknown: options.flag('keepUnknown') ?? false } };
    },
  },
  'moving-volumes': {
    summary:
      'before each page the volumes of a "share" (default 0.05) of the markets grow by a "percent" (default 20)',
    routes: LISTS,
    effect(options) {
      const share = options.share('share') ?? 0.05;
      const factor = 1 + (options.whole('percent', 1, 100_000) ?? 20) / 100;
      return {
        before(state) {
          state.source.growVolumes?.(share, factor);
          state.catalogue.changed();
          state.events.changed();
        },
      };
    },
  },
  'stale-page': {
    summary: 'a list that lay in the shared cache for "age" seconds (default 299)',
    routes: LISTS,
    effect: (options) => ({ ageSeconds: options.whole('age', 0, 86_400) ?? 299 }),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;
