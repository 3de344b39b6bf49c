/** At most `max` of each group: the first ones, in their order. */
export function atMost<T>(max: number, items: readonly T[], groupOf: (item: T) => string): readonly T[] {
  const counts = new Map<string, number>();
  return items.filter((item) => {
    const group = groupOf(item);
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= max;
  });
}

/** The first `count` items with at most `max` of each topic. More of a topic follow only if other topics are missing. */
export function varied<T>(count: number, max: number, items: readonly T[], topicOf: (item: T) => string): readonly T[] {
  const first = atMost(max, items, topicOf).slice(0, count);
  const others = items.filter((item) => !first.includes(item)).slice(0, count - first.length);
  return items.filter((item) => first.includes(item) || others.includes(item));
}
