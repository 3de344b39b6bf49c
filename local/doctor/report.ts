import { VERSION } from '../../lambda/core/contract/constants.ts';
import { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { type Examined, lineOf } from './facts.ts';
import { addShapes, type Shapes } from './shapes.ts';

/** A call to an upstream. */
export interface ObservedCall {
  readonly route: string;
  /** `ok`, or the error. */
  readonly result: string;
  readonly ms: number;
  /** Undefined after an error. */
  readonly body?: unknown;
}

/** Makes calls, and adds them to the list. */
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

/** `book  ok: 2, book: status 500: 1; 3 to 20 ms`. */
function callsLine(route: string, calls: readonly ObservedCall[]): string {
  const groups = [...Map.groupBy(calls, ({ result }) => result)];
  const results = groups.map(([result, all]) => `${result}: ${all.length}`);
  const times = calls.map(({ ms }) => ms);
  return `${route}  ${results.join(', ')}; ${Math.min(...times)} to ${Math.max(...times)} ms`;
}

/** `.markets[].slug  text: 100`. */
function shapeLines(calls: readonly ObservedCall[]): string[] {
  const shapes: Shapes = new Map();
  for (const { body } of calls) if (body !== undefined) addShapes(shapes, body);
  return [...shapes].map(([path, types]) => {
    const counts = [...types].map(([type, count]) => `${type}: ${count}`);
    return `  ${path || '.'}  ${counts.join(', ')}`;
  });
}
