import { VERSION } from '../../lambda/core/contract/constants.ts';
import { type Examined, lineOf } from './facts.ts';
import { addShapes, type Shapes } from './shapes.ts';
import type { ObservedCall, Urls } from './visit.ts';

/**
 * What a maintainer needs to see of an upstream: facts, calls with statuses and times, and the
 * shapes of responses. It has no texts, no prices and no addresses of upstream.
 *
 * @param now RFC 3339
 */
export function reportOf(
  facts: readonly Examined[],
  calls: readonly ObservedCall[],
  { urls, now }: { readonly urls: Urls; readonly now: string },
): string {
  const routes = [...Map.groupBy(calls, ({ upstream, path }) => `${upstream} ${path}`)].sort();
  const lines = [
    `Market Data Proxy ${VERSION}, Node.js ${process.version}, ${process.platform}, ${now}`,
    '',
    ...facts.map((fact) => `${fact.area.padEnd(10)} ${lineOf(fact)}`),
    '',
    ...routes.map(([route, ofRoute]) => callsLine(route, ofRoute)),
    ...routes.flatMap(([route, ofRoute]) => ['', route, ...shapeLines(ofRoute)]),
  ];
  const text = lines.join('\n');
  return Object.entries(urls).reduce(
    (safe, [name, url]) => safe.replaceAll(new URL(url).host, name),
    `${text}\n`,
  );
}

function callsLine(route: string, calls: readonly ObservedCall[]): string {
  const statuses = [...Map.groupBy(calls, ({ status }) => status)].map(
    ([status, all]) => `${status}: ${all.length}`,
  );
  const times = calls.map(({ ms }) => ms);
  return `${route}  ${statuses.join(', ')}; ${Math.min(...times)} to ${Math.max(...times)} ms`;
}

/** `.markets[].slug  text: 100`. */
function shapeLines(calls: readonly ObservedCall[]): string[] {
  const shapes: Shapes = new Map();
  for (const { received } of calls) addShapes(shapes, received);
  return [...shapes].map(([path, types]) => {
    const counts = [...types].map(([type, count]) => `${type}: ${count}`);
    return `  ${path || '.'}  ${counts.join(', ')}`;
  });
}
