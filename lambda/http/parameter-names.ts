import { DOCUMENTED_ROUTES, type Route } from '../core/contract/route-table.ts';
import { ServiceError } from '../core/domain/service-error.ts';

/** A name without its spelling: the same for `minVolume`, `min_volume` and `MINVOLUME[]`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\[\]$|[_-]/g, '');
}

/** The names that a query can have, with all aliases. */
function queryNames({ parameters }: Route): readonly string[] {
  return Object.entries(parameters)
    .filter(([, parameter]) => parameter.in !== 'path')
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

/** The paths that have a parameter, by its name. Callers can send it to the wrong endpoint. */
const OWNERS = Map.groupBy(
  Object.values<Route>(DOCUMENTED_ROUTES).flatMap((route) =>
    queryNames(route).map((name) => ({ name: plain(name), path: route.path })),
  ),
  ({ name }) => name,
);

const LIST = new Intl.ListFormat('en');

/**
 * Rejects names that a caller means as a filter: a misspelled one of the route, one of another
 * endpoint, or one of another API. Ignores all others: callers add names to avoid caches.
 *
 * @throws ServiceError `unknown_parameter` (400) with the name and the advice
 */
export function rejectWrongNames(route: Route, sentNames: readonly string[]): void {
  const names = queryNames(route);
  // Without parameters of its own, an endpoint cannot return a wrong selection.
  if (names.length === 0) return;
  for (const sent of sentNames) {
    if (names.includes(sent)) continue;
    const isInPath = Object.hasOwn(route.parameters, sent);
    if (isInPath) continue;
    const advice = adviceFor(route, sent, names) ?? ownersOf(sent);
    if (advice === undefined) continue;
    throw new ServiceError(
      'unknown_parameter',
      `This endpoint has no parameter ${sent}: ${advice}`,
    );
  }
}

/**
 * What to send instead of a name that the route does not have, as a sentence.
 *
 * @param names the nearest of these is suggested
 */
export function adviceFor(
  { otherParameters = {} }: Route,
  sent: string,
  names: readonly string[],
): string | undefined {
  const key = plain(sent);
  const [, advice] = Object.entries(otherParameters).find(([name]) => plain(name) === key) ?? [];
  const meant = nearestName(key, names);
  return advice ?? (meant && `did you mean ${meant}?`);
}

/** The endpoints that have the parameter, as a sentence. */
function ownersOf(sent: string): string | undefined {
  const owners = OWNERS.get(plain(sent));
  return owners && `it belongs to ${LIST.format(owners.map(({ path }) => path))}.`;
}

/**
 * The name that the caller meant. Allows one wrong character in names of three or more, two in
 * names of eight or more.
 */
function nearestName(key: string, names: readonly string[]): string | undefined {
  return (
    names.find((name) => plain(name) === key) ??
    names.find((name) => isNear(key, plain(name), 3, 1)) ??
    names.find((name) => isNear(key, plain(name), 8, 2))
  );
}

function isNear(a: string, b: string, minLength: number, edits: number): boolean {
  return Math.min(a.length, b.length) >= minLength && isWithinEdits(a, b, edits);
}

/**
 * Whether at most `edits` edits make one text of the other. An edit inserts, deletes or replaces
 * one character.
 */
function isWithinEdits(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  if (edits === 0 || Math.abs(a.length - b.length) > edits) return false;
  let start = 0;
  // The texts differ, so this ends at the first difference.
  while (a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const [nextA, nextB] = [restA.slice(1), restB.slice(1)];
  return [
    [nextA, restB],
    [restA, nextB],
    [nextA, nextB],
  ].some(([x = '', y = '']) => isWithinEdits(x, y, edits - 1));
}
