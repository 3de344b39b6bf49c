import { cursorToStart } from './gamma.ts';
import { Draw } from './random.ts';
import type { SimulatedResponse, SimulatedRoute } from './route.ts';
import { SIMULATED_ROUTES, type SimulatedRouteName } from './routes.ts';

/** A wrong option of the command line or of a call of the control API. The message is one sentence for a person. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** What a fault does to a request. */
interface FaultEffect {
  readonly delayMs?: number;
  /** Takes the place of the route's own response. */
  readonly instead?: 'reset' | SimulatedResponse;
  /** Changes the JSON value of a good response. */
  readonly change?: (body: object, draw: Draw, query: URLSearchParams) => unknown;
  /** Changes the text of the body. */
  readonly text?: (text: string) => string;
  /** Breaks the connection in the middle of the body. */
  readonly cut?: true;
}

export interface FaultSpec {
  /** The name of a route, of an upstream, or `*` for all. */
  readonly route: SimulatedRouteName | SimulatedRoute['upstream'] | '*';
  readonly kind: keyof typeof FAULT_KINDS;
  /** Requests that it acts on. @default until it is removed */
  readonly times?: number;
  /** Requests that pass before it acts. @default 0 */
  readonly after?: number;
  /** It acts on every nth request. @default 1 */
  readonly every?: number;
  /** Options of the kind. */
  readonly ms?: number;
  readonly status?: number;
  readonly share?: number;
}

type Kind = readonly [summary: string, effect: (spec: FaultSpec) => FaultEffect];

const instead = (status: number, type: 'json' | 'html', body: unknown): FaultEffect => ({
  instead: { status, type, body },
});

/** Upstream sends no Retry-After. */
export const THROTTLED: SimulatedResponse = { status: 429, type: 'html', body: '<h1>Too Many Requests</h1>' };

/** Changes the markets of a page of the catalogue. */
const markets = (change: (list: readonly object[], draw: Draw) => readonly unknown[]): FaultEffect => ({
  change: (body, draw) => ({ ...body, markets: change((body as { markets: object[] }).markets, draw) }),
});

/** Changes a "share" of the books of a response of `/prices`. */
const books = (share: number, change: (side: string, draw: Draw) => unknown): FaultEffect => ({
  change: (body, draw) => {
    const changed = Object.entries(body).map(([token, book]: [string, object]) => {
      if (!draw.chance(share)) return [token, book];
      return [token, Object.fromEntries(Object.keys(book).map((side) => [side, change(side, draw)]))];
    });
    return Object.fromEntries(changed);
  },
});

const INTERNAL = { type: 'internal error', error: 'cannot get the information' };
/** Ways in which a catalogue record is broken. */
const BROKEN: readonly [object, ...object[]] = [
  { conditionId: undefined },
  { conditionId: '0x12' },
  { outcomes: '["Yes", "No"' },
  { outcomes: '["Yes", "No", "Maybe"]' },
  { clobTokenIds: '[12, null]', positionIds: 'none' },
  { question: undefined },
  { endDate: 'soon', events: [] },
  { version: 'v9' },
];
const NO_PRICES: readonly [unknown, ...unknown[]] = ['1.5', '-0.25', 'NaN', '', 'Infinity', 0.5, null];

export const FAULT_KINDS = {
  slow: ['waits "ms" (default 2000)', ({ ms = 2_000 }) => ({ delayMs: ms })],
  // The longest delay of a timer: the request ends with its connection.
  hang: ['never responds', () => ({ delayMs: 2 ** 31 - 1 })],
  reset: ['resets the connection', () => ({ instead: 'reset' })],
  'reset-body': ['breaks the connection in the middle of the body', () => ({ cut: true })],
  truncate: ['JSON that ends halfway', () => ({ text: (text) => text.slice(0, text.length / 2) })],
  malformed: ['nearly JSON', () => ({ text: (text) => text.replace(/([\]}])(\s*)$/, ',,$1$2') })],
  status: ['"status" (default 500) with JSON', ({ status = 500 }) => instead(status, 'json', INTERNAL)],
  html: ['"status" (default 403) with HTML', ({ status = 403 }) => instead(status, 'html', '<h1>Forbidden</h1>')],
  throttled: ['429 without Retry-After, as upstream sends it', () => ({ instead: THROTTLED })],
  'error-200': ['200 with a JSON error', () => instead(200, 'json', { error: 'Too Many Requests' })],
  empty: ['200 with {}', () => instead(200, 'json', {})],
  'loop-cursor': [
    'catalogue: the cursor leads back to the first page',
    () => ({ change: (body, _draw, query) => ({ ...body, next_cursor: cursorToStart(query) }) }),
  ],
  missing: [
    'catalogue: a page lacks a "share" (default 0.3) of its markets',
    ({ share = 0.3 }) => markets((list, draw) => list.filter(() => !draw.chance(share))),
  ],
  duplicates: ['catalogue: a page repeats markets', () => markets((list) => [...list, ...list.slice(0, 30)])],
  'broken-markets': [
    'catalogue: a "share" (default 0.1) of the markets is broken',
    ({ share = 0.1 }) =>
      markets((list, draw) =>
        list.map((market) => (draw.chance(share) ? { ...market, ...draw.pick(BROKEN) } : market)),
      ),
  ],
  'prices-missing': [
    'prices: a "share" (default 0.5) of the books is missing',
    ({ share = 0.5 }) => ({
      change: (body, draw) => Object.fromEntries(Object.entries(body).filter(() => !draw.chance(share))),
    }),
  ],
  'prices-invalid': [
    'prices: a "share" (default 1) of the books has sides that are no prices',
    ({ share = 1 }) => books(share, (_, draw) => draw.pick(NO_PRICES)),
  ],
  'prices-empty': ['prices: a "share" (default 1) of the books is empty', ({ share = 1 }) => books(share, () => '0')],
  'prices-wide': [
    'prices: a "share" (default 1) of the books has stub quotes only, 0.01 and 0.99',
    ({ share = 1 }) => books(share, (side) => (side === 'BUY' ? '0.01' : '0.99')),
  ],
  'wrong-token': ['book: that of another token', () => ({ change: (body) => ({ ...body, asset_id: '1' }) })],
} as const satisfies Readonly<Record<string, Kind>>;

interface ActiveFault {
  readonly spec: FaultSpec;
  /** Requests to its route, and those on which it acted. */
  seen: number;
  hits: number;
}

/** The faults that are set, in the order in which they were set. */
export class Faults {
  #active: ActiveFault[] = [];

  /** @throws OptionError */
  add(spec: FaultSpec): void {
    const routes = ['*', 'gamma', 'clob', 'data', ...SIMULATED_ROUTES.map(({ name }) => name)];
    if (!routes.includes(spec.route)) throw new OptionError(`"route" must be one of ${routes.join(', ')}.`);
    if (!Object.hasOwn(FAULT_KINDS, spec.kind)) {
      throw new OptionError(`"kind" must be one of ${Object.keys(FAULT_KINDS).join(', ')}.`);
    }
    const { route: _route, kind: _kind, ...numbers } = spec;
    const wrong = Object.entries(numbers).find(([, value]) => typeof value !== 'number' || !(value >= 0));
    if (wrong) throw new OptionError(`"${wrong[0]}" must be a number that is not negative.`);
    this.#active.push({ spec, seen: 0, hits: 0 });
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly Readonly<ActiveFault>[] {
    return this.#active;
  }

  /** The effects on a request to this route, each with its own draw. */
  take({ name, upstream }: SimulatedRoute): readonly { readonly effect: FaultEffect; readonly draw: Draw }[] {
    return this.#active.flatMap((fault) => {
      const { route, kind, times = Number.POSITIVE_INFINITY, after = 0, every = 1 } = fault.spec;
      if (route !== '*' && route !== upstream && route !== name) return [];
      fault.seen += 1;
      if (fault.seen <= after || (fault.seen - 1) % every !== 0 || fault.hits >= times) return [];
      fault.hits += 1;
      const effect = (FAULT_KINDS[kind] as Kind)[1](fault.spec);
      return [{ effect, draw: new Draw(fault.seen, kind) }];
    });
  }
}
