/** The report of `npm run doctor -- --report FILE`, which a user can paste into an issue. */
import { VERSION } from '../../lambda/core/contract/constants.ts';
import { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { type Examined, lineOf } from './facts.ts';

/** A call to an upstream. */
export interface ObservedCall {
  readonly route: string;
  /** `ok`, or the error. */
  readonly result: string;
  readonly ms: number;
  /** Undefined after an error. */
  readonly body?: unknown;
}

/** Returns a function that makes a call and adds it to the list. */
export function observed(calls: ObservedCall[]): typeof callOnce {
  return async (clock, call) => {
    const begun = clock.now();
    const observe = (result: string, body?: unknown): void => {
      calls.push({ route: call.route, result, ms: clock.now() - begun, body });
    };
    try {
      const reply = await callOnce(clock, call);
      observe('ok', reply.body);
      return reply;
    } catch (error) {
      observe((error as Error).message);
      throw error;
    }
  };
}

/**
 * What a maintainer needs to see of an upstream: facts, calls with results and times, and the
 * shapes of responses. It has no texts, no prices and no addresses of upstream.
 *
 * @param now RFC 3339
 */
export function reportOf(
  facts: readonly Examined[],
  calls: readonly ObservedCall[],
  now: string,
): string {
  const routes = [...Map.groupBy(calls, ({ route }) => route)].sort();
  const lines = [
    `Market Data Proxy ${VERSION}, Node.js ${process.version}, ${process.platform}, ${now}`,
    '',
    ...facts.map((fact) => `${fact.area.padEnd(10)} ${lineOf(fact)}`),
    ...routes.flatMap(([route, ofRoute]) => [
      '',
      callsLine(route, ofRoute),
      ...shapeLines(ofRoute),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The results and times of a route's calls: `book  ok: 2, book: status 500: 1; 3 to 20 ms`. */
function callsLine(route: string, calls: readonly ObservedCall[]): string {
  const groups = [...Map.groupBy(calls, ({ result }) => result)];
  const results = groups.map(([result, all]) => `${result}: ${all.length}`);
  const times = calls.map(({ ms }) => ms);
  return `${route}  ${results.join(', ')}; ${Math.min(...times)} to ${Math.max(...times)} ms`;
}

/** The shape of a route's responses: lines such as `.markets[].slug  text: 100`. */
function shapeLines(calls: readonly ObservedCall[]): string[] {
  const shapes: Shapes = new Map();
  for (const { body } of calls) if (body !== undefined) addShapes(shapes, body);
  return [...shapes].map(([path, types]) => {
    const counts = [...types].map(([type, count]) => `${type}: ${count}`);
    return `  ${path || '.'}  ${counts.join(', ')}`;
  });
}

/** How often each type of value was seen, by the path of keys. */
type Shapes = Map<string, Map<string, number>>;

/** The report leaves out values that are nested deeper than this. */
const MAX_DEPTH = 8;
/** A key that the report shows. Other keys are ids or texts of upstream, which become `*`. */
const FIELD_NAME = /^[A-Za-z_$][\w$]{0,39}$/;
const KINDS_OF_TEXT = [
  ['empty text', /^$/],
  ['number as text', /^-?\d+(\.\d+)?$/],
  ['JSON as text', /^[[{]/],
  ['time as text', /^\d{4}-\d\d-\d\d/],
  ['hex as text', /^0x[0-9a-f]*$/i],
] as const;

/** The type of a value, without the value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string')
    return KINDS_OF_TEXT.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Adds the types of a value and of all that it contains. */
function addShapes(shapes: Shapes, value: unknown, path = '', depth = 0): void {
  const counts = shapes.get(path) ?? new Map<string, number>();
  shapes.set(path, counts);
  const type = typeOf(value);
  counts.set(type, (counts.get(type) ?? 0) + 1);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
  for (const [key, entry] of Object.entries(value)) {
    const name = Array.isArray(value) ? '[]' : `.${FIELD_NAME.test(key) ? key : '*'}`;
    addShapes(shapes, entry, path + name, depth + 1);
  }
}
