import type { SimulatedResponse } from '../../http/response.ts';
import type { FaultEffect } from '../effect.ts';
import { type FaultKind, MOST_MS } from '../kind.ts';

const DAY_MS = 86_400_000;
const MEGABYTE = 1_000_000;
const SWITCHED: SimulatedResponse = {
  status: 101,
  type: 'text',
  body: '',
  headers: { connection: 'upgrade', upgrade: 'websocket' },
};

/** Faults of the connection and of the bytes that it carries. */
export const CONNECTION_FAULTS = {
  slow: {
    summary: 'waits "ms" (default 2000) before the good response',
    effect: (options) => ({ delayMs: options.whole('ms', 0, MOST_MS) ?? 2_000 }),
  },
  hang: { summary: 'never responds', effect: () => ({ instead: 'hang' }) },
  reset: { summary: 'resets the connection before a response', effect: () => ({ instead: 'reset' }) },
  'switch-protocol': {
    summary: 'status 101: switches to another protocol, which nobody asked for',
    effect: () => ({ instead: () => SWITCHED, plain: true }),
  },
  'reset-body': {
    summary: 'breaks the connection in the middle of the body',
    effect: () => ({ sending: 'reset-body' }),
  },
  truncate: {
    summary: 'a whole response whose JSON ends halfway',
    effect: () => ({ text: (text) => text.slice(0, Math.floor(text.length / 2)) }),
  },
  malformed: {
    summary: 'a body that is nearly JSON: a comma too many before its end',
    effect: () => ({ text: (text) => text.replace(/([\]}])(\s*)$/, ',,$1$2') }),
  },
  endless: {
    summary: 'a body that never ends: half of the good one, then white space for ever',
    effect: () => ({ sending: 'endless' }),
  },
  huge: {
    summary: 'a good body blown up to "mb" megabytes (default 30) with white space',
    effect(options) {
      const mb = options.whole('mb', 1, 400) ?? 30;
      return { text: (text) => `${' '.repeat(mb * MEGABYTE)}${text}` };
    },
  },
  deep: {
    summary: 'arrays nested to "levels" (default 100000) in place of the body',
    effect(options) {
      const levels = options.whole('levels', 1, 5_000_000) ?? 100_000;
      return { text: () => `${'['.repeat(levels)}${']'.repeat(levels)}` };
    },
  },
  dense: {
    summary: 'a list of nothing but {}, "mb" megabytes (default 7) of it, in place of the body',
    effect(options) {
      const mb = options.whole('mb', 1, 400) ?? 7;
      return { text: () => `[${'{},'.repeat((mb * MEGABYTE) / 3 - 1)}{}]` };
    },
  },
  mislabelled: {
    summary: 'a good body under a wrong header; "as": html (default), text, or gzip, which it is not',
    effect(options): FaultEffect {
      const as = options.choice('as', ['html', 'text', 'gzip']) ?? 'html';
      return as === 'gzip'
        ? { headers: { 'content-encoding': 'gzip' }, plain: true }
        : { headers: { 'content-type': `text/${as === 'text' ? 'plain' : as}` } };
    },
  },
  'date-skew': {
    summary: 'the Date header is off by "ms" (default 60000)',
    effect: (options) => ({ dateSkewMs: options.whole('ms', -DAY_MS, DAY_MS) ?? 60_000 }),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;
