import type { Filterable } from '../source.ts';
import type { Filter } from './catalogue.ts';

/** How lists filter when a fault says so; without one, as upstream does. */
export interface ListQuirks {
  /** Parameters that are ignored without a word; `*` is all of them, and what the server forces as well. */
  readonly ignored?: readonly string[];
  /** Bounds leave out what lies on them. What upstream does at a bound is unknown. */
  readonly exclusive?: boolean;
  /** Markets without the amount pass its bounds. What upstream does with them is unknown. */
  readonly keepUnknown?: boolean;
}

type Test = (item: Filterable) => boolean;
type Make = (values: readonly string[], quirks: ListQuirks) => Test | undefined;

const bound =
  (value: (item: Filterable) => number | undefined, sign: 1 | -1, read: (text: string) => number): Make =>
  (values, { exclusive = false, keepUnknown = false }) => {
    const limit = read(values.at(-1) ?? '');
    if (Number.isNaN(limit)) return undefined;
    return (item) => {
      const own = value(item);
      if (own === undefined) return keepUnknown;
      return exclusive ? sign * (own - limit) > 0 : sign * (own - limit) >= 0;
    };
  };

/** A comma list is one value that nothing equals; upstream ignores it. */
const anyOf =
  (wanted: (item: Filterable, values: ReadonlySet<string>) => boolean): Make =>
  (values) => {
    if (values.some((value) => value.includes(','))) return () => true;
    const set = new Set(values);
    return (item) => wanted(item, set);
  };

const volume = (item: Filterable) => item.volume;
const liquidity = (item: Filterable) => item.liquidity;
const start = (item: Filterable) => item.startMs;
const end = (item: Filterable) => item.endMs;

const SHARED: Readonly<Record<string, Make>> = {
  liquidity_num_min: bound(liquidity, 1, Number),
  start_date_min: bound(start, 1, Date.parse),
  start_date_max: bound(start, -1, Date.parse),
  end_date_min: bound(end, 1, Date.parse),
  end_date_max: bound(end, -1, Date.parse),
  id: anyOf((item, values) => values.has(item.id)),
  slug: anyOf((item, values) => values.has(item.slug)),
  tag_id: anyOf((item, values) => item.tagIds.some((id) => values.has(id))),
};

/** The filters of markets that act. Every other parameter is ignored without a word. */
const MARKET_FILTERS: Readonly<Record<string, Make>> = {
  ...SHARED,
  volume_num_min: bound(volume, 1, Number),
  volume_num_max: bound(volume, -1, Number),
  liquidity_num_max: bound(liquidity, -1, Number),
  // Compared in lower case; both widths of a v2 id are taken for the same condition.
  condition_ids: (values, quirks) =>
    anyOf((item, wanted) => wanted.has(item.conditionId))(values.map(normalCondition), quirks),
  clob_token_ids: anyOf((item, values) => item.clobTokenIds.some((id) => values.has(id))),
  position_ids: anyOf((item, values) => item.positionIds.some((id) => values.has(id))),
};

const EVENT_FILTERS: Readonly<Record<string, Make>> = {
  ...SHARED,
  volume_min: bound(volume, 1, Number),
  volume_max: bound(volume, -1, Number),
  liquidity_min: bound(liquidity, 1, Number),
  liquidity_max: bound(liquidity, -1, Number),
};

export interface FilterRules {
  readonly filters: Readonly<Record<string, Make>>;
  /** Keyset routes list only what is active and not archived, and what is open unless `closed` says otherwise. */
  readonly forced: boolean;
}

export const KEYSET_MARKETS: FilterRules = { filters: MARKET_FILTERS, forced: true };
export const KEYSET_EVENTS: FilterRules = { filters: EVENT_FILTERS, forced: true };
export const OFFSET_MARKETS: FilterRules = { filters: MARKET_FILTERS, forced: false };

/** What a query lets through, or the name of a parameter that is not valid. */
export function filterOf(
  query: URLSearchParams,
  item: (index: number) => Filterable,
  { filters, forced }: FilterRules,
  quirks: ListQuirks,
): Filter | { readonly invalid: string } {
  const tests: Test[] = [];
  const named: string[] = [JSON.stringify(quirks), String(forced)];
  const ignores = (name: string) => quirks.ignored?.some((one) => one === '*' || one === name) === true;
  const closed = query.get('closed') ?? '';
  const wanted = closed === 'true' || closed === 'false' ? closed === 'true' : forced ? false : undefined;
  if (wanted !== undefined && !ignores('closed')) {
    named.push(`closed=${wanted}`);
    tests.push((one) => one.closed === wanted);
  }
  if (forced && !ignores('*')) tests.push((one) => one.active && !one.archived);
  for (const [name, make] of Object.entries(filters)) {
    const values = query.getAll(name);
    if (values.length === 0 || ignores(name)) continue;
    const test = make(values, quirks);
    if (test === undefined) return { invalid: name };
    named.push(`${name}=${values.join()}`);
    tests.push(test);
  }
  return {
    name: named.join('&'),
    matches: (index) => {
      const one = item(index);
      return tests.every((test) => test(one));
    },
  };
}

function normalCondition(id: string): string {
  const lower = id.toLowerCase();
  return lower.length === 64 ? `${lower}00` : lower;
}
