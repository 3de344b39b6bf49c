import type { Filterable } from '../source.ts';

type Test = (market: Filterable) => boolean;

/**
 * The filters that act. Lists are repeated parameters; every other parameter is ignored without a word, and so are
 * `active` and `archived`, which upstream knows but does not honour (upstream.md).
 */
const FILTERS: Readonly<Record<string, (values: readonly string[]) => Test>> = {
  closed: (values) => {
    const wanted = values.at(-1);
    return wanted === 'true' || wanted === 'false'
      ? (market) => market.closed === (wanted === 'true')
      : () => true;
  },
  id: (values) => (market) => values.includes(market.id),
  slug: (values) => (market) => values.includes(market.slug),
  condition_ids: (values) => (market) => values.includes(market.conditionId),
  clob_token_ids: (values) => (market) => market.tokens.some((token) => values.includes(token)),
  tag_id: (values) => (market) => market.tagIds.some((id) => values.includes(id)),
};

/** What a query lets through. */
export function filterOf(query: URLSearchParams): Test {
  const tests: Test[] = [];
  for (const [name, make] of Object.entries(FILTERS)) {
    const values = query.getAll(name);
    if (values.length > 0) tests.push(make(values));
  }
  return (market) => tests.every((test) => test(market));
}
