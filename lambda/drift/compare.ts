import type { Change, Known, KnownKey, Observation, ShapeCount, ShapeKind } from './observation.ts';

/**
 * When a share has changed: it was hardly there and is now there for good, or the other way round. Between the two lies
 * what comes and goes with the season (sports, say): no key of upstream's is guaranteed, and none of this is a change.
 */
const HARDLY = 0.01;
const NOTICEABLE = 0.05;
/** A key that sports alone have is on some 15 % of the markets of a busy week. */
const NOTICEABLE_KEY = 0.2;
const COMMON = 0.5;
/** Fewer objects say nothing about what is missing. */
const ENOUGH = 50;

export interface Comparison {
  readonly changes: readonly Change[];
  /** What to remember from now on; the same object when nothing is new. */
  readonly known: Known;
}

/** @param known undefined on the first run: everything is as it is, and nothing has changed */
export function compare(known: Known | undefined, seen: Observation): Comparison {
  const changes: Change[] = [];
  const note = (what: string, before: string, after: string) => changes.push({ what, before, after });
  const before: Known = known ?? { shapes: {}, skipped: {}, unknownVersions: [], schemas: [], honoured: {} };

  const shapes: Partial<Record<ShapeKind, Readonly<Record<string, KnownKey>>>> = { ...before.shapes };
  for (const [kind, count] of Object.entries(seen.shapes) as [ShapeKind, ShapeCount][]) {
    shapes[kind] = compareShape(kind, before.shapes[kind], count, note);
  }
  const skipped = { ...before.skipped };
  for (const [reason, count] of Object.entries(seen.skipped)) {
    const [was, is] = [skipped[reason] ?? 0, round(count / seen.records)];
    if (known && was < HARDLY && is >= NOTICEABLE)
      note(`share of markets skipped for ${reason}`, percent(was), percent(is));
    if (!known || (was < HARDLY && is >= NOTICEABLE)) skipped[reason] = is;
  }
  for (const reason of Object.keys(skipped)) {
    // Well again: the next rise is news.
    if (seen.records >= ENOUGH && (seen.skipped[reason] ?? 0) === 0) delete skipped[reason];
  }
  const unknownVersions = grown(
    'protocol versions that are not known',
    before.unknownVersions,
    seen.unknownVersions,
  );
  const schemas = grown('$schema', before.schemas, seen.schemas);
  const honoured = { ...before.honoured };
  for (const [filter, is] of Object.entries(seen.honoured)) {
    const was = honoured[filter];
    if (was !== undefined && was !== is) note(`filter ${filter}`, asWord(was), asWord(is));
    honoured[filter] = is;
  }
  const { pageSize = before.pageSize, historyRoute = before.historyRoute } = seen;
  if (before.pageSize !== undefined && pageSize !== before.pageSize) {
    note('markets of a page', String(before.pageSize), String(pageSize));
  }
  if (before.historyRoute !== undefined && historyRoute !== before.historyRoute) {
    note('route of the price histories', before.historyRoute, String(historyRoute));
  }

  const after: Known = {
    shapes,
    skipped,
    unknownVersions,
    schemas,
    honoured,
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(historyRoute === undefined ? {} : { historyRoute }),
  };
  return { changes, known: known && JSON.stringify(after) === JSON.stringify(known) ? known : after };

  function grown(what: string, was: readonly string[], is: readonly string[]): readonly string[] {
    const fresh = is.filter((name) => !was.includes(name));
    if (fresh.length === 0) return was;
    if (known) note(what, listed(was), listed(is));
    return [...was, ...fresh].slice(-20).sort();
  }
}

function compareShape(
  kind: ShapeKind,
  known: Readonly<Record<string, KnownKey>> | undefined,
  { objects, keys }: ShapeCount,
  note: (what: string, before: string, after: string) => void,
): Readonly<Record<string, KnownKey>> {
  const result: Record<string, KnownKey> = { ...known };
  for (const [key, counts] of Object.entries(keys)) {
    const having = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const share = round(having / objects);
    const types = Object.entries(counts).flatMap(([type, count]) =>
      count / having >= NOTICEABLE ? [type] : [],
    );
    const was = result[key];
    if (!known) result[key] = { share, types: types.sort() };
    else if ((was?.share ?? 0) < HARDLY) {
      if (share < NOTICEABLE_KEY) continue;
      note(
        `key ${key} of a ${kind}`,
        was ? percent(was.share) : 'absent',
        `${percent(share)}, ${types.join(' or ')}`,
      );
      result[key] = { share, types: types.sort() };
    } else if (was) {
      const fresh = types.filter((type) => !was.types.includes(type));
      if (fresh.length === 0) continue;
      note(`type of ${key} of a ${kind}`, was.types.join(' or '), types.join(' or '));
      result[key] = { share: was.share, types: [...was.types, ...fresh].sort() };
    }
  }
  for (const [key, was] of Object.entries(known ?? {})) {
    const having = Object.values(keys[key] ?? {}).reduce((sum, count) => sum + count, 0);
    if (objects < ENOUGH || was.share < COMMON || having / objects >= NOTICEABLE) continue;
    note(`key ${key} of a ${kind}`, percent(was.share), having === 0 ? 'absent' : percent(having / objects));
    delete result[key];
  }
  return result;
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function asWord(honoured: boolean): string {
  return honoured ? 'honoured' : 'ignored';
}
