/**
 * Faults of the simulated Polymarket, such as an error status or broken markets. Tests set them in
 * code, people through `/_control`. Each changes the responses of the routes that it names.
 */
import { cursorToStart } from './gamma.ts';
import { Draw, hashText, unit } from './random.ts';
import type { SimulatedCall, SimulatedResponse } from './route.ts';
import { SIMULATED_ROUTES, type SimulatedRouteName } from './routes.ts';

/** A wrong option of the command line or control API. The message is one sentence for a person. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** The kinds of faults, and what each does, for people. `respondWith` implements them. */
export const FAULT_KINDS = {
  slow: 'waits "ms" (default 2000)',
  hang: 'never responds',
  truncate: 'JSON that ends halfway',
  status: '"status" (default 500) with JSON',
  html: '"status" (default 403) with HTML',
  empty: '200 with {}',
  'loop-cursor': 'catalogue: the cursor leads back to the first page',
  missing:
    'catalogue: a "share" (default 0.3) of the markets is missing, the same ones on each page',
  'broken-markets': 'catalogue: a "share" (default 0.1) of the markets is broken',
  'prices-missing': 'prices: a "share" (default 0.5) of the books is missing',
};

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

/** A fault with the number of requests that it has affected. */
interface ActiveFault {
  readonly spec: FaultSpec;
  hits: number;
}

/** The faults that are set. */
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

  /** The route's response after all matching faults, in the order in which they were set. */
  apply(
    { name, upstream }: SimulatedCall,
    query: URLSearchParams,
    response: SimulatedResponse,
  ): SimulatedResponse {
    let current = response;
    for (const fault of this.#active) {
      const { spec } = fault;
      const isSpent = fault.hits >= (spec.times ?? Number.POSITIVE_INFINITY);
      if (isSpent || !['*', upstream, name].includes(spec.route)) continue;
      fault.hits += 1;
      current = respondWith(spec, current, query, new Draw(fault.hits, spec.kind));
    }
    return current;
  }
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

/** What a fault makes of a response. @param draw makes the fault's random choices */
function respondWith(
  fault: FaultSpec,
  response: SimulatedResponse,
  query: URLSearchParams,
  draw: Draw,
): SimulatedResponse {
  switch (fault.kind) {
    case 'slow':
      return { ...response, delayMs: fault.ms ?? 2_000 };
    case 'hang':
      return { ...response, sent: 'nothing' };
    case 'truncate':
      return { ...response, sent: 'half' };
    case 'status':
      return { status: fault.status ?? 500, type: 'json', body: INTERNAL };
    case 'html':
      return { status: fault.status ?? 403, type: 'html', body: '<h1>Forbidden</h1>' };
    case 'empty':
      return { status: 200, type: 'json', body: {} };
    default:
      if (response.status !== 200) return response;
      return { ...response, body: changedBody(fault, Object(response.body), query, draw) };
  }
}

/** The JSON of a good response after a fault that changes only a part of it. */
function changedBody(fault: FaultSpec, body: object, query: URLSearchParams, draw: Draw): object {
  const { share } = fault;
  const { markets } = body as { readonly markets?: readonly { readonly id: string }[] };
  switch (fault.kind) {
    case 'loop-cursor':
      return { ...body, next_cursor: cursorToStart(query) };
    case 'missing': {
      const rest = markets?.filter(({ id }) => unit(hashText(id)) >= (share ?? 0.3));
      return { ...body, markets: rest };
    }
    case 'broken-markets': {
      const broken = markets?.map((market) =>
        draw.chance(share ?? 0.1) ? { ...market, ...draw.pick(BROKEN) } : market,
      );
      return { ...body, markets: broken };
    }
    case 'prices-missing':
      return Object.fromEntries(Object.entries(body).filter(() => !draw.chance(share ?? 0.5)));
    default:
      return body;
  }
}
