import type { Bound, Moment, Parameter, ParsedParameters, ValueOf } from '../contract/parameters.ts';
import { timeOf } from '../domain/moment.ts';

/** Whether an entry of a list fulfils a filter. */
export type Condition<T> = (entry: T) => boolean;

type Filters = Readonly<Record<string, Parameter>>;
/** The bounds of the filters that have one. */
export type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/** How a list of one kind is filtered. */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** Reads the value that a bound compares; undefined if an entry has none. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /** The conditions of the filters without a bound. A filter that is missing here does not compile. */
  readonly conditions: {
    readonly [N in keyof F as F[N] extends { readonly bound: Bound } ? never : N]: (
      value: ValueOf<F[N]>,
    ) => Condition<T>;
  };
}

const COMPARISONS: Readonly<Record<Bound['is'], (value: number, limit: number) => boolean>> = {
  atLeast: (value, limit) => value >= limit,
  atMost: (value, limit) => value <= limit,
  below: (value, limit) => value < limit,
};

/** The conditions of a query: one for each filter that is set. @param asOf Unix ms: relative moments count from it */
export function conditionsOf<F extends Filters, T>(
  { filters, readerOf, conditions }: FilterRules<F, T>,
  query: ParsedParameters<F>,
  asOf: number,
): readonly Condition<T>[] {
  return Object.entries(filters).flatMap(([name, { bound }]) => {
    const value: unknown = query[name as keyof typeof query];
    if (value === undefined) return [];
    if (!bound) return conditions[name as keyof typeof conditions](value as never);
    const isWithin = COMPARISONS[bound.is];
    const read = readerOf(bound as BoundOf<F>);
    const limit = typeof value === 'number' ? value : timeOf(value as Moment, asOf);
    return (entry: T) => isWithin(read(entry) ?? Number.NaN, limit);
  });
}

/** Whether tags contain one of these, in any case. */
export function hasAny(slugs: readonly string[]): (tags: readonly string[]) => boolean {
  const wanted = new Set(slugs.map((slug) => slug.toLowerCase()));
  return (tags) => tags.some((slug) => wanted.has(slug.toLowerCase()));
}
