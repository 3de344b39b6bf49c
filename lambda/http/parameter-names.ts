/**
 * Finds wrong parameter names in a query, and suggests the right ones: `minVolum` gets the answer
 * "did you mean minVolume?".
 */
import { DOCUMENTED_ROUTES, type Route } from '../core/contract/route-table.ts';
import { ServiceError } from '../core/domain/service-error.ts';

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
    // Ignores a parameter of the path in the query, such as ?slug= at /api/events/{slug}.
    if (names.includes(sent) || Object.hasOwn(route.parameters, sent)) continue;
    const advice = adviceFor(route, sent, names) ?? ownersOf(sent);
    if (advice === undefined) continue;
    const message = `This endpoint has no parameter ${sent}: ${advice}`;
    throw new ServiceError('unknown_parameter', message);
  }
}

/** The names that a query can have, with all aliases. */
function queryNames({ parameters }: Route): readonly string[] {
  return Object.entries(parameters)
    .filter(([, parameter]) => parameter.in !== 'path')
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
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
  const other = Object.entries(otherParameters).find(([name]) => plain(name) === key);
  if (other) return other[1];
  const meant = nearestName(key, names);
  return meant && `did you mean ${meant}?`;
}

/**
 * The endpoints that have a parameter, by its plain name. For example, `minvolume` has
 * `[{ path: '/api/markets', … }, { path: '/api/markets/search', … }]`.
 */
const OWNERS = Map.groupBy(
  Object.values<Route>(DOCUMENTED_ROUTES).flatMap((route) =>
    queryNames(route).map((name) => ({ name: plain(name), path: route.path })),
  ),
  ({ name }) => name,
);

/** Writes "a, b, and c". */
const LIST = new Intl.ListFormat('en');

/** The endpoints that have the parameter, as a sentence. */
function ownersOf(sent: string): string | undefined {
  const owners = OWNERS.get(plain(sent));
  return owners && `it belongs to ${LIST.format(owners.map(({ path }) => path))}.`;
}

/** A name without its spelling: the same for `minVolume`, `min_volume` and `MINVOLUME[]`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\[\]$|[_-]/g, '');
}

/** How many edits can lead to the name that was meant. A short name allows fewer. */
const TOLERANCES = [
  { minLength: 0, edits: 0 },
  { minLength: 3, edits: 1 },
  { minLength: 8, edits: 2 },
] as const;

/** The name that the caller meant, in its own spelling. Fewer edits win. */
function nearestName(key: string, names: readonly string[]): string | undefined {
  for (const { minLength, edits } of TOLERANCES) {
    const nearest = names.find((name) => {
      const other = plain(name);
      const shorterLength = Math.min(key.length, other.length);
      return shorterLength >= minLength && isWithinEdits(key, other, edits);
    });
    if (nearest !== undefined) return nearest;
  }
  return undefined;
}

/**
 * Whether at most `edits` edits make one text of the other. An edit inserts, deletes or replaces
 * one character.
 */
function isWithinEdits(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  if (edits === 0) return false;
  let start = 0;
  // The texts differ, so this ends at the first difference.
  while (a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const [nextA, nextB] = [a.slice(start + 1), b.slice(start + 1)];
  return (
    isWithinEdits(nextA, restB, edits - 1) ||
    isWithinEdits(restA, nextB, edits - 1) ||
    isWithinEdits(nextA, nextB, edits - 1)
  );
}
