import { cursorToStart } from './gamma.ts';
import { Draw, hashText, unit } from './random.ts';
import type { SimulatedCall, SimulatedResponse } from './route.ts';
import { SIMULATED_ROUTES, type SimulatedRouteName } from './routes.ts';

/** A wrong option of the command line or control API. The message is one sentence for a person. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** A fault that a test or a person sets. */
export interface FaultSpec {
  /** A route, an upstream, or `*`. */
  readonly route: SimulatedRouteName | SimulatedCall['upstream'] | '*';
  readonly kind: keyof typeof FAULT_KINDS;
  /** How many requests it affects. @default all until it is removed */
  readonly times?: number;
  /** A delay in milliseconds. */
  readonly ms?: number;
  /** An HTTP status. */
  readonly status?: number;
  /** A share of the markets or prices, 0 to 1. */
  readonly share?: number;
}

/** What an effect may use: the fault's numbers, random choices, and the query of the request. */
interface FaultContext extends Pick<FaultSpec, 'ms' | 'status' | 'share'> {
  readonly draw: Draw;
  readonly query: URLSearchParams;
}
/** What a fault makes of a response. */
type Effect = (response: SimulatedResponse, context: FaultContext) => SimulatedResponse;
type Kind = readonly [summary: string, effect: Effect];

/** Changes the JSON of a good response. */
function changed(change: (body: object, context: FaultContext) => unknown): Effect {
  return (response, context) =>
    response.status === 200
      ? { ...response, body: change(Object(response.body), context) }
      : response;
}

type ListedRecords = readonly { readonly id: string }[];

/** Changes the markets of a page of the catalogue. */
function markets(
  change: (list: ListedRecords, context: FaultContext) => readonly unknown[],
): Effect {
  return changed((body, context) => ({
    ...body,
    markets: change((body as { markets: ListedRecords }).markets, context),
  }));
}

/** The error of a failing upstream. */
const INTERNAL = { type: 'internal error', error: 'cannot get the information' };
/** The fields that a broken market has in place of its own: one entry for each way to fail. */
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

/** The kinds of faults: a summary for people, and the effect on a response. */
export const FAULT_KINDS = {
  slow: ['waits "ms" (default 2000)', (response, { ms = 2_000 }) => ({ ...response, delayMs: ms })],
  hang: ['never responds', (response) => ({ ...response, sent: 'nothing' })],
  truncate: ['JSON that ends halfway', (response) => ({ ...response, sent: 'half' })],
  status: [
    '"status" (default 500) with JSON',
    (_, { status = 500 }) => ({ status, type: 'json', body: INTERNAL }),
  ],
  html: [
    '"status" (default 403) with HTML',
    (_, { status = 403 }) => ({ status, type: 'html', body: '<h1>Forbidden</h1>' }),
  ],
  empty: ['200 with {}', () => ({ status: 200, type: 'json', body: {} })],
  'loop-cursor': [
    'catalogue: the cursor leads back to the first page',
    changed((body, { query }) => ({ ...body, next_cursor: cursorToStart(query) })),
  ],
  missing: [
    'catalogue: a "share" (default 0.3) of the markets is missing, the same ones on each page',
    markets((list, { share = 0.3 }) => list.filter(({ id }) => unit(hashText(id)) >= share)),
  ],
  'broken-markets': [
    'catalogue: a "share" (default 0.1) of the markets is broken',
    markets((list, { share = 0.1, draw }) =>
      list.map((market) => (draw.chance(share) ? { ...market, ...draw.pick(BROKEN) } : market)),
    ),
  ],
  'prices-missing': [
    'prices: a "share" (default 0.5) of the books is missing',
    changed((body, { share = 0.5, draw }) =>
      Object.fromEntries(Object.entries(body).filter(() => !draw.chance(share))),
    ),
  ],
} as const satisfies Readonly<Record<string, Kind>>;

/** A fault with the number of requests that it has affected. */
interface ActiveFault {
  readonly spec: FaultSpec;
  hits: number;
}

/** The faults that tests and people have set. They change the responses of the simulator. */
export class Faults {
  #active: ActiveFault[] = [];

  /** @throws OptionError for an unknown route or kind, or a negative number */
  add(spec: FaultSpec): void {
    const routes = ['*', 'gamma', 'clob', 'data', ...SIMULATED_ROUTES.map(({ name }) => name)];
    if (!routes.includes(spec.route))
      throw new OptionError(`"route" must be one of ${routes.join(', ')}.`);
    if (!Object.hasOwn(FAULT_KINDS, spec.kind)) {
      throw new OptionError(`"kind" must be one of ${Object.keys(FAULT_KINDS).join(', ')}.`);
    }
    const { route: _route, kind: _kind, ...numbers } = spec;
    const wrong = Object.entries(numbers).find(
      ([, value]) => typeof value !== 'number' || !(value >= 0),
    );
    if (wrong) throw new OptionError(`"${wrong[0]}" must be a number that is not negative.`);
    this.#active.push({ spec, hits: 0 });
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly Readonly<ActiveFault>[] {
    return this.#active;
  }

  /** The route's response after all matching faults. */
  apply(
    { name, upstream }: SimulatedCall,
    query: URLSearchParams,
    response: SimulatedResponse,
  ): SimulatedResponse {
    const acting = this.#active.filter(
      ({ spec: { route, times = Number.POSITIVE_INFINITY }, hits }) =>
        hits < times && ['*', upstream, name].includes(route),
    );
    return acting.reduce((current, fault) => {
      const { spec } = fault;
      const [, effect]: Kind = FAULT_KINDS[spec.kind];
      fault.hits += 1;
      return effect(current, { ...spec, query, draw: new Draw(fault.hits, spec.kind) });
    }, response);
  }
}
